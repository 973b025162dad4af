import { describe, expect, it } from 'vitest';
import { makeExcerpt } from '../src/excerpt.ts';
import { renderExcerpt, renderRevisionExcerpt } from '../src/render.ts';
import { alone } from '../src/surroundings.ts';
import { type Row, testRows } from './rows.ts';

const words = (n: number): string => Array.from({ length: n }, (_, i) => `w${i + 1}`).join(' ');
const block = (name: string, inner: string): string => `<!-- wp:${name} -->${inner}<!-- /wp:${name} -->`;
const paragraph = (text: string): string => block('paragraph', `<p>${text}</p>`);

const texts: Row[] = [
  { name: 'is the text of the content', input: 'a b', output: '<p>a b</p>\n' },
  { name: 'has no more than 55 words', input: words(56), output: `<p>${words(55)} [&hellip;]</p>\n` },
  { name: 'is whole with 55 words', input: words(55), output: `<p>${words(55)}</p>\n` },
  { name: 'is one paragraph', input: 'a\n\nb\nc', output: '<p>a b c</p>\n' },
  { name: 'has no markup', input: 'a <b>b</b> <a href="#">c</a><img src="d">', output: '<p>a b c</p>\n' },
  { name: 'has no scripts and style sheets', input: '<script>a</script>b<style>c</style>', output: '<p>b</p>\n' },
  { name: 'has no comments', input: 'a <!-- b --> c', output: '<p>a c</p>\n' },
  { name: 'has typography and smileys', input: '"a" -- b :)', output: '<p>&#8220;a&#8221; &#8212; b 🙂</p>\n' },
  { name: 'sets code like other text', input: '<code>"a"</code>', output: '<p>&#8220;a&#8221;</p>\n' },
  { name: 'keeps references', input: 'a &amp; b & c', output: '<p>a &amp; b &#038; c</p>\n' },
  { name: 'ends before the mark', input: 'a<!--more-->b', output: '<p>a</p>\n' },
  { name: 'ends before a mark with a text', input: 'a <!--more go on--> b', output: '<p>a</p>\n' },
  { name: 'does not end at a mark over two lines', input: 'a <!--more\n--> b', output: '<p>a b</p>\n' },
  { name: 'ends with the first page', input: 'a\n<!--nextpage-->\nb', output: '<p>a</p>\n' },
  { name: 'is none of nothing', input: '', output: '' },
  { name: 'is none of markup alone', input: '<img src="a"><!-- b -->', output: '' },
];

const blocks: Row[] = [
  {
    name: 'has the text of paragraphs, headings and quotations',
    input: `${paragraph('a')}${block('heading', '<h2>b</h2>')}${block('quote', `<blockquote>${paragraph('c')}<cite>d</cite></blockquote>`)}`,
    output: '<p>a b c d</p>\n',
  },
  {
    name: 'has the text of tables, verses and raw markup',
    input: `${block('table', '<table><tr><td>a</td></tr></table>')} ${block('verse', '<pre>b</pre>')} ${block('html', '<i>c</i>')}`,
    output: '<p>a b c</p>\n',
  },
  { name: 'has the text between blocks', input: `a ${paragraph('b')} c`, output: '<p>a b c</p>\n' },
  {
    name: 'has no lists with items',
    input: `${block('list', `<ul>${block('list-item', '<li>a</li>')}</ul>`)}${paragraph('b')}`,
    output: '<p>b</p>\n',
  },
  { name: 'has lists without blocks in them', input: block('list', '<ul><li>a</li></ul>'), output: '<p>a</p>\n' },
  {
    name: 'has no code, separators and unknown blocks',
    input: `${block('code', '<pre>a</pre>')}${block('separator', '<hr>')}${block('x/y', '<p>b</p>')}${paragraph('c')}`,
    output: '<p>c</p>\n',
  },
  {
    name: 'looks into columns and groups',
    input: block(
      'columns',
      `<div>${block('column', `<div>${paragraph('a')}${block('group', `<div>${paragraph('b')}${block('code', 'c')}</div>`)}</div>`)}</div>`,
    ),
    output: '<p>a b</p>\n',
  },
  {
    name: 'does not look into covers and details',
    input: `${block('cover', `<div>${paragraph('a')}</div>`)}${block('details', `<details>${paragraph('b')}</details>`)}${paragraph('c')}`,
    output: '<p>c</p>\n',
  },
  {
    name: 'has no marks of footnotes',
    input: paragraph('a<sup data-fn="x" class="fn"><a href="#x" id="x-link">1</a></sup> b'),
    output: '<p>a b</p>\n',
  },
  {
    name: 'ends before the block of the mark',
    input: `${paragraph('a')}${block('more', '<!--more-->')}${paragraph('b')}`,
    output: '<p>a</p>\n',
  },
];

describe('an excerpt made from the content', () => {
  testRows([...texts, ...blocks], (content) => renderExcerpt('', content));

  it.each([
    [5, 'a b c', '<p>a b c</p>\n'],
    [3, 'a b c', '<p>a b c</p>\n'],
    [2, 'a b c', '<p>a b [&hellip;]</p>\n'],
    [0, 'a b c', '<p> [&hellip;]</p>\n'],
    [0, '', ''],
  ])('of %i words of %j is %j', (length, content, excerpt) => {
    expect(makeExcerpt(content, length, alone())).toBe(excerpt);
  });
});

describe('a given excerpt', () => {
  testRows(
    [
      { name: 'is shown in paragraphs', input: 'a\n\nb', output: '<p>a</p>\n<p>b</p>\n' },
      { name: 'keeps its markup', input: '<b>a</b> "c"', output: '<p><b>a</b> &#8220;c&#8221;</p>\n' },
      { name: 'has smileys', input: ':)', output: '<p>🙂</p>\n' },
      {
        name: 'eases the loading of images',
        input: '<img src="a">',
        output: '<p><img decoding="async" src="a"></p>\n',
      },
    ],
    (excerpt) => renderExcerpt(excerpt, 'content'),
  );

  it('is not shortened', () => {
    expect(renderExcerpt(words(60), 'a', { length: 2 })).toBe(`<p>${words(60)}</p>\n`);
  });

  it('counts as missing when it is only white space', () => {
    expect(renderExcerpt(' \n', 'a')).toBe('<p>a</p>\n');
  });
});

describe('the excerpt of a revision', () => {
  it('is never made from the content', () => {
    expect(renderRevisionExcerpt('')).toBe('');
    expect(renderRevisionExcerpt('a "b"')).toBe('<p>a &#8220;b&#8221;</p>\n');
  });
});
