import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { paragraphs } from '../src/paragraphs.ts';
import { type Row, testRows } from './rows.ts';

const lines: Row[] = [
  { name: 'a text becomes a paragraph', input: 'a', output: '<p>a</p>\n' },
  { name: 'empty lines part paragraphs', input: 'a\n\nb\n\n\n\nc', output: '<p>a</p>\n<p>b</p>\n<p>c</p>\n' },
  { name: 'lines with nothing but blanks are empty', input: 'a\n \t \nb', output: '<p>a</p>\n<p>b</p>\n' },
  { name: 'single line ends become breaks', input: 'a\nb\nc', output: '<p>a<br />\nb<br />\nc</p>\n' },
  { name: 'blanks before a line end go', input: 'a  \nb', output: '<p>a<br />\nb</p>\n' },
  { name: 'blanks after a line end stay', input: 'a\n  b', output: '<p>a<br />\n  b</p>\n' },
  { name: 'line ends of other systems are the same', input: 'a\r\nb\r\rc', output: '<p>a<br />\nb</p>\n<p>c</p>\n' },
  { name: 'nothing and blanks become nothing', input: ' \n\t\n ', output: '' },
  { name: 'blanks at the ends stay', input: '  a  ', output: '<p>  a  </p>\n' },
  { name: 'line ends at the ends go', input: '\n\na\n\n', output: '<p>a</p>\n' },
  { name: 'blanks before the first empty line leave a line end', input: ' \n\na', output: '\n<p>a</p>\n' },
  { name: 'an indented first line has no break before it', input: ' \na', output: '<p>\na</p>\n' },
];

const blocks: Row[] = [
  { name: 'block elements stand alone', input: 'a\n<div>b</div>\nc', output: '<p>a</p>\n<div>b</div>\n<p>c</p>\n' },
  {
    name: 'block elements need no line ends',
    input: 'a<ul><li>b</li></ul>c',
    output: '<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n<p>c</p>\n',
  },
  {
    name: 'lists keep their lines',
    input: '<ol>\n<li>a</li>\n<li>b</li>\n</ol>',
    output: '<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n',
  },
  {
    name: 'tables keep their lines',
    input: '<table>\n<tr>\n<td>a</td>\n</tr>\n</table>',
    output: '<table>\n<tr>\n<td>a</td>\n</tr>\n</table>\n',
  },
  { name: 'headings stand alone', input: '<h2>a</h2>\nb', output: '<h2>a</h2>\n<p>b</p>\n' },
  { name: 'rules stand alone', input: 'a\n<hr>\nb<hr />c', output: '<p>a</p>\n<hr>\n<p>b</p>\n<hr />\n<p>c</p>\n' },
  { name: 'paragraphs stay', input: '<p>a</p>\n\n<p>b</p>', output: '<p>a</p>\n<p>b</p>\n' },
  { name: 'text next to a paragraph gets its own', input: '<p>a</p>b', output: '<p>a</p>\n<p>b</p>\n' },
  {
    name: 'a quotation gets its paragraphs inside',
    input: '<blockquote>a\n\nb</blockquote>',
    output: '<blockquote><p>a</p>\n<p>b</p></blockquote>\n',
  },
  {
    name: 'attributes of a quotation stay',
    input: '<blockquote cite="x">a</blockquote>',
    output: '<blockquote cite="x"><p>a</p></blockquote>\n',
  },
  {
    name: 'a text at the end of a block gets an end tag',
    input: '<div>a\n\nb</div>',
    output: '<div>a</p>\n<p>b</p></div>\n',
  },
  {
    name: 'inline elements are wrapped',
    input: '<em>a</em>\n\n<span>b</span>',
    output: '<p><em>a</em></p>\n<p><span>b</span></p>\n',
  },
  { name: 'comments are wrapped', input: '<!-- a --><p>b</p>', output: '<p><!-- a --></p>\n<p>b</p>\n' },
  {
    name: 'frames and images are wrapped',
    input: '<iframe src="x"></iframe>\n\n<img src="y">',
    output: '<p><iframe src="x"></iframe></p>\n<p><img src="y"></p>\n',
  },
  {
    name: 'figures with captions stand alone',
    input: '<figure>\n<img src="x">\n<figcaption>c</figcaption>\n</figure>',
    output: '<figure>\n<img src="x"><figcaption>c</figcaption></figure>\n',
  },
];

const kept: Row[] = [
  { name: 'preformatted text keeps its lines', input: '<pre>a\n\nb</pre>', output: '<pre>a\n\nb</pre>\n' },
  {
    name: 'text around preformatted text does not',
    input: 'x\n<pre>a\n\nb</pre>\ny\nz',
    output: '<p>x</p>\n<pre>a\n\nb</pre>\n<p>y<br />\nz</p>\n',
  },
  {
    name: 'scripts keep their single lines',
    input: '<script>\na\nb\n</script>',
    output: '<p><script>\na\nb\n</script></p>\n',
  },
  {
    name: 'line ends inside tags stay',
    input: '<a\nhref="x">a\nb</a>',
    output: '<p><a\nhref="x">a<br />\nb</a></p>\n',
  },
  { name: 'line ends inside comments stay', input: 'a <!-- x\ny --> b', output: '<p>a <!-- x\ny --> b</p>\n' },
  {
    name: 'options make no paragraphs',
    input: '<select>\n<option>a</option>\n\n<option>b</option>\n</select>',
    output: '<p><select><option>a</option><option>b</option></select></p>\n',
  },
  {
    name: 'parts of objects make no paragraphs',
    input: '<object data="x">\n\n<param name="a">\n\n</object>',
    output: '<p><object data="x"><param name="a"></object></p>\n',
  },
  {
    name: 'sources of media make no paragraphs',
    input: '<video controls>\n\n<source src="a">\n\n<track src="b">\n</video>',
    output: '<p><video controls><source src="a"><track src="b"></video></p>\n',
  },
];

const breaks: Row[] = [
  { name: 'breaks are written alike', input: 'a<br>b<br/>c', output: '<p>a<br />b<br />c</p>\n' },
  { name: 'two breaks part paragraphs', input: 'a<br><br />b', output: '<p>a</p>\n<p>b</p>\n' },
  { name: 'a break at a line end is not doubled', input: 'a<br />\nb', output: '<p>a<br />\nb</p>\n' },
  { name: 'no break stands after a block tag', input: '<div>\na</div>', output: '<div>\na</div>\n' },
  { name: 'no break stands before the end of an item', input: '<li>a\n</li>', output: '<li>a\n</li>\n' },
];

describe('paragraphs', () => {
  testRows([...lines, ...blocks, ...kept, ...breaks], paragraphs);

  it('are the same in texts with and without tags', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\r\n', '\t'), maxLength: 30 });
    fc.assert(
      fc.property(text, (plain) => {
        fc.pre(plain.trim() !== '');
        expect(paragraphs(`${plain}\n\n<i>x</i>`)).toBe(`${paragraphs(plain)}<p><i>x</i></p>\n`);
      }),
    );
  });

  it('keep every word of a text without tags', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', '&', ' ', '\n', '\r'), maxLength: 60 });
    fc.assert(
      fc.property(text, (plain) => {
        const shown = paragraphs(plain).replace(/<p>|<\/p>|<br \/>/g, '');
        expect(shown.split(/\s+/).filter(Boolean)).toEqual(plain.split(/\s+/).filter(Boolean));
      }),
    );
  });
});
