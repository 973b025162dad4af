import { describe, expect, it } from 'vitest';
import { renderContent, renderExcerpt } from '../src/render.ts';
import { renderShortcodes } from '../src/shortcodes/render.ts';
import { alone } from '../src/surroundings.ts';
import { type Row, testRows } from './rows.ts';

/** Renders each shortcode as its name, attributes and content. */
const server = {
  block: () => '',
  embed: (address: string) => (address.startsWith('http://own/') ? `{${address}}` : null),
  shortcode: ({
    name,
    attributes,
    content,
  }: {
    name: string;
    attributes: ReadonlyMap<string, string>;
    content: string | null;
  }) =>
    `{${[name, ...[...attributes].map(([key, value]) => `${key}=${value}`), ...(content === null ? [] : [content])].join('|')}}`,
};
const within = () => ({ ...alone(), server });
const put = (text: string): string => renderShortcodes(text, within());
const content = (text: string): string => renderContent(text, within());
const excerpt = (text: string): string => renderExcerpt('', text, { within: within() });

const picture = '<img src="a.png">';
const figure = (attributes: string, inside: string) => `<figure ${attributes}>${inside}</figure>`;

const words: Row[] = [
  { name: 'a word', input: 'a [gallery] b', output: 'a {gallery} b' },
  {
    name: 'attributes in all spellings',
    input: `[audio A="1" b='2' c=3 "4" 5 e-f = "6"]`,
    output: '{audio|a=1|b=2|c=3|0=4|1=5|e-f=6}',
  },
  { name: 'escapes in values', input: String.raw`[audio a="x\y"]`, output: '{audio|a=xy}' },
  { name: 'a value with half a tag', input: `[audio a="<b" c="<i>d</i>"]`, output: '{audio|a=|c=<i>d</i>}' },
  { name: 'a pair', input: '[audio]x[/audio]', output: '{audio|x}' },
  { name: 'an end in the word', input: '[audio src=a /]x[/audio]', output: '{audio|src=a}x[/audio]' },
  { name: 'case matters', input: '[GALLERY] [Gallery]', output: '[GALLERY] [Gallery]' },
  { name: 'only whole names', input: '[galleryx] [gallery-x] [gallery_]', output: '[galleryx] [gallery-x] [gallery_]' },
  { name: 'what is unknown', input: '[foo a="[x]"]b[/foo] [1]', output: '[foo a="[x]"]b[/foo] [1]' },
  { name: 'a word in an unknown pair', input: '[foo][gallery][/foo]', output: '[foo]{gallery}[/foo]' },
  { name: 'a word that does not end', input: '[gallery', output: '[gallery' },
  { name: 'an end alone', input: '[/caption]', output: '[/caption]' },
  {
    name: 'escapes',
    input: '[[gallery ids="1"]] [[[audio]]] [[caption]x[/caption]]',
    output: '[gallery ids="1"] [[audio]] [caption]x[/caption]',
  },
  { name: 'half an escape', input: '[[gallery] [audio]]', output: '[{gallery} {audio}]' },
  {
    name: 'in an attribute',
    input: '<a href="http://e/[gallery]">x</a>',
    output: '<a href="http://e/{gallery}">x</a>',
  },
  { name: 'in single quotes', input: `<a title='[gallery]'>x</a>`, output: `<a title='{gallery}'>x</a>` },
  {
    name: 'an escape in an attribute',
    input: '<a title="[[gallery]]">[gallery]</a>',
    output: '<a title="[gallery]">{gallery}</a>',
  },
  {
    name: 'what is unknown in an attribute',
    input: '<a title="[foo]">[gallery]</a>',
    output: '<a title="[foo]">{gallery}</a>',
  },
  { name: 'in an attribute that runs', input: '<a onclick="[gallery]">x</a>', output: '<a onclick="[gallery]">x</a>' },
  { name: 'in comments', input: '<!-- [gallery] -->[gallery]', output: '<!-- [gallery] -->{gallery}' },
  {
    name: 'across tags',
    input: '[audio]<b title="[/audio]">[/audio]',
    output: '{audio|<b title="&#91;/audio&#93;">}'.replaceAll('&#91;', '[').replaceAll('&#93;', ']'),
  },
];

const captions: Row[] = [
  {
    name: 'everything',
    input: `[caption id="a_1" align="alignleft" width="10px" class="k"]${picture} <b>Text</b> [/caption]`,
    output: figure(
      'id="a_1" aria-describedby="caption-a-1" style="width: 10px" class="wp-caption alignleft k"',
      `${picture}<figcaption id="caption-a-1" class="wp-caption-text"><b>Text</b></figcaption>`,
    ),
  },
  {
    name: 'a caption with an id of its own',
    input: `[caption width="1" caption_id="c"]${picture}x[/caption]`,
    output: figure(
      'aria-describedby="c" style="width: 1px" class="wp-caption alignnone"',
      `${picture}<figcaption id="c" class="wp-caption-text">x</figcaption>`,
    ),
  },
  {
    name: 'the same id again',
    input: `[caption id="a" width="1"]${picture}x[/caption][caption id="a" width="1"]${picture}x[/caption]`,
    output: ['a', 'a-2']
      .map((id) =>
        figure(
          `id="${id}" aria-describedby="caption-${id}" style="width: 1px" class="wp-caption alignnone"`,
          `${picture}<figcaption id="caption-${id}" class="wp-caption-text">x</figcaption>`,
        ),
      )
      .join(''),
  },
  {
    name: 'the old form, all of whose content is the picture',
    input: '[caption width="5" caption="C <b>d</b>"]x [gallery] y[/caption]',
    output: figure(
      'style="width: 5px" class="wp-caption alignnone"',
      'x {gallery} y<figcaption class="wp-caption-text">C <b>d</b></figcaption>',
    ),
  },
  { name: 'no width', input: `[caption]${picture} x[/caption]`, output: picture },
  { name: 'no text', input: `[caption width="9"]${picture}[/caption]`, output: picture },
  { name: 'no picture', input: '[caption width="9"]x <b>y</b>[/caption]', output: 'x <b>y</b>' },
  { name: 'no end', input: '[caption width="9"]x', output: 'x' },
  {
    name: 'a linked picture, and text before it',
    input: `[caption width="9"]lost <a href="#">${picture}</a> x[/caption]`,
    output: figure(
      'style="width: 9px" class="wp-caption alignnone"',
      `<a href="#">${picture}</a><figcaption class="wp-caption-text">x</figcaption>`,
    ),
  },
];

const contents: Row[] = [
  {
    name: 'typography leaves what a word says',
    input: '[foo "a"] [audio a="b--c"]"x"[/audio] y',
    output: '<p>[foo &#8220;a&#8221;] {audio|a=b--c|&#8220;x&#8221;} y</p>\n',
  },
  {
    name: 'a word alone in its paragraph',
    input: '[gallery]\n\n[audio]a\n\nb[/audio]\n\nx [gallery]',
    output: '{gallery}\n{audio|a</p>\n<p>b}\n<p>x {gallery}</p>\n',
  },
  {
    name: 'addresses of this site',
    input: 'http://own/a\n\nsee http://own/b\n\n[embed]http://own/c[/embed]',
    output: '<p>{http://own/a}</p>\n<p>see http://own/b</p>\n<p>{http://own/c}</p>\n',
  },
  {
    name: 'an address in a paragraph',
    input: '<p class="k"> http://own/a </p>',
    output: '<p class="k"> {http://own/a} </p>\n',
  },
  {
    name: 'an address on a line in a tag',
    input: '<a href="\nhttp://own/a\n">x</a>',
    output: '<p><a href="\nhttp://own/a\n">x</a></p>\n',
  },
  {
    name: 'unknown addresses',
    input: '[embed]http://no/a[/embed] [embed src="b c"][/embed]\n\nhttp://no/b',
    output: '<p><a href="http://no/a">http://no/a</a> <a href="http://b%20c">b c</a></p>\n<p>http://no/b</p>\n',
  },
  {
    name: 'words in blocks',
    input: '<!-- wp:html -->[gallery]<!-- /wp:html --><!-- wp:shortcode -->[gallery]<!-- /wp:shortcode -->',
    output: '{gallery}{gallery}\n',
  },
];

const excerpts: Row[] = [
  {
    name: 'known words go with what they enclose',
    input: 'a [audio]b[/audio] c [gallery] [foo]',
    output: '<p>a c [foo]</p>\n',
  },
  {
    name: 'what an escape leaves is run',
    input: 'a [[gallery]] [[audio]b[/audio]]',
    output: '<p>a {gallery} {audio|b}</p>\n',
  },
  { name: 'words in attributes are', input: '<a title="[gallery]">x</a>', output: '<p>x</p>\n' },
];

describe('shortcodes', () => {
  testRows(words, put);
  describe('captions', () => testRows(captions, put));
  describe('in contents', () => testRows(contents, content));
  describe('in excerpts', () => testRows(excerpts, excerpt));

  it('are plain text in a given excerpt', () => {
    expect(renderExcerpt('Given [gallery]', 'x', { within: within() })).toBe('<p>Given [gallery]</p>\n');
  });
});
