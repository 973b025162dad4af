import { describe, expect, it } from 'vitest';
import { renderContent } from '../src/render.ts';
import { renderBlocks } from '../src/render-blocks.ts';
import { alone } from '../src/surroundings.ts';
import { type Row, testRows, unchanged } from './rows.ts';

const render = (text: string): string => renderBlocks(text, alone());
const block = (name: string, inner: string, attributes = ''): string =>
  `<!-- wp:${name} ${attributes === '' ? '' : `${attributes} `}-->${inner}<!-- /wp:${name} -->`;
const paragraph = block('paragraph', '<p>x</p>');
const shown = '<p class="wp-block-paragraph">x</p>';

const classes: Row[] = [
  { name: 'a paragraph', input: block('paragraph', '\n<p>a</p>\n'), output: '\n<p class="wp-block-paragraph">a</p>\n' },
  {
    name: 'a paragraph with attributes',
    input: block('paragraph', '<p id="i" style="s">a</p>'),
    output: '<p class="wp-block-paragraph" id="i" style="s">a</p>',
  },
  {
    name: 'a paragraph with classes',
    input: block('paragraph', '<p class="b c">a</p>'),
    output: '<p class="b c wp-block-paragraph">a</p>',
  },
  {
    name: 'a paragraph with classes in single quotes',
    input: block('paragraph', "<p class='b'>a</p>"),
    output: '<p class="b wp-block-paragraph">a</p>',
  },
  {
    name: 'a heading without its class',
    input: block('heading', '<h3>a</h3>'),
    output: '<h3 class="wp-block-heading">a</h3>',
  },
  { name: 'a list without its class', input: block('list', '<ol>b</ol>'), output: '<ol class="wp-block-list">b</ol>' },
  {
    name: 'nested lists',
    input: block(
      'list',
      `<ul>${block('list-item', `<li>a${block('list', `<ol>${block('list-item', '<li>b</li>')}</ol>`)}</li>`)}</ul>`,
    ),
    output: '<ul class="wp-block-list"><li>a<ol class="wp-block-list"><li>b</li></ol></li></ul>',
  },
];

const containers: Row[] = [
  {
    name: 'a group',
    input: block('group', `<div class="wp-block-group">${paragraph}</div>`),
    output: `<div class="wp-block-group is-layout-flow wp-block-group-is-layout-flow">${shown}</div>`,
  },
  {
    name: 'a group of limited width',
    input: block('group', `<div class="wp-block-group">${paragraph}</div>`, '{"layout":{"type":"constrained"}}'),
    output: `<div class="wp-block-group has-global-padding is-layout-constrained wp-block-group-is-layout-constrained">${shown}</div>`,
  },
  {
    name: 'a group of a width of its own',
    input: block('group', `<div class="wp-block-group">${paragraph}</div>`, '{"layout":{"contentSize":"400px"}}'),
    output: `<div class="wp-block-group has-global-padding is-layout-constrained wp-container-core-group-is-layout-cc786e83 wp-block-group-is-layout-constrained">${shown}</div>`,
  },
  {
    name: 'a row',
    input: block(
      'group',
      `<div class="wp-block-group">${paragraph}</div>`,
      '{"layout":{"type":"flex","flexWrap":"nowrap"}}',
    ),
    output: `<div class="wp-block-group is-nowrap is-layout-flex wp-container-core-group-is-layout-3a88641f wp-block-group-is-layout-flex">${shown}</div>`,
  },
  {
    name: 'a stack',
    input: block(
      'group',
      `<div class="wp-block-group">${paragraph}</div>`,
      '{"layout":{"type":"flex","orientation":"vertical"}}',
    ),
    output: `<div class="wp-block-group is-vertical is-layout-flex wp-container-core-group-is-layout-831b2db5 wp-block-group-is-layout-flex">${shown}</div>`,
  },
  {
    name: 'columns',
    input: block(
      'columns',
      `<div class="wp-block-columns">${block('column', `<div class="wp-block-column">${paragraph}</div>`)}</div>`,
    ),
    output: `<div class="wp-block-columns is-layout-flex wp-container-core-columns-is-layout-794e3cfa wp-block-columns-is-layout-flex"><div class="wp-block-column is-layout-flow wp-block-column-is-layout-flow">${shown}</div></div>`,
  },
  {
    name: 'buttons',
    input: block(
      'buttons',
      `<div class="wp-block-buttons">${block('button', '<div class="wp-block-button"><a class="wp-block-button__link">a</a></div>')}</div>`,
    ),
    output:
      '<div class="wp-block-buttons is-layout-flex wp-block-buttons-is-layout-flex"><div class="wp-block-button"><a class="wp-block-button__link">a</a></div></div>',
  },
  {
    name: 'centred buttons',
    input: block(
      'buttons',
      '<div class="wp-block-buttons"></div>',
      '{"layout":{"type":"flex","justifyContent":"center"}}',
    ),
    output:
      '<div class="wp-block-buttons is-content-justification-center is-layout-flex wp-container-core-buttons-is-layout-35f06ea7 wp-block-buttons-is-layout-flex"></div>',
  },
  {
    name: 'a quotation',
    input: block('quote', `<blockquote class="wp-block-quote">${paragraph}<cite>c</cite></blockquote>`),
    output: `<blockquote class="wp-block-quote is-layout-flow wp-block-quote-is-layout-flow">${shown}<cite>c</cite></blockquote>`,
  },
  {
    name: 'a cover, on its inner element',
    input: block(
      'cover',
      `<div class="wp-block-cover"><span class="s"></span><div class="wp-block-cover__inner-container">${paragraph}</div></div>`,
    ),
    output: `<div class="wp-block-cover"><span class="s"></span><div class="wp-block-cover__inner-container is-layout-flow wp-block-cover-is-layout-flow">${shown}</div></div>`,
  },
  {
    name: 'a container without an element, on the first one in it',
    input: block('group', block('heading', '<h2>a</h2>')),
    output: '<h2 class="wp-block-heading is-layout-flow wp-block-group-is-layout-flow">a</h2>',
  },
  {
    name: 'containers without elements, from the inside',
    input: block('columns', block('column', paragraph)),
    output:
      '<p class="wp-block-paragraph is-layout-flow wp-block-column-is-layout-flow is-layout-flex wp-container-core-columns-is-layout-794e3cfa wp-block-columns-is-layout-flex">x</p>',
  },
  { name: 'a container with nothing in it, nowhere', input: `${block('group', 'a')}<p>b</p>`, output: 'a<p>b</p>' },
];

const media: Row[] = [
  {
    name: 'an image without an address is not shown',
    input: block('image', '<figure><img alt=""/></figure>'),
    output: '',
  },
  {
    name: 'an image loses an empty caption',
    input: block('image', '<figure><img src="a"/><figcaption></figcaption></figure>'),
    output: '<figure><img src="a"/></figure>',
  },
  {
    name: 'an image keeps a caption',
    input: block('image', '<figure><img src="a"/><figcaption>c</figcaption></figure>'),
    output: '<figure><img src="a"/><figcaption>c</figcaption></figure>',
  },
  {
    name: 'the images of a gallery name their ids',
    input: block(
      'gallery',
      `<figure class="wp-block-gallery">${block('image', '<figure><img src="a"/></figure>', '{"id":7}')}</figure>`,
    ),
    output:
      '<figure class="wp-block-gallery wp-block-gallery-1 is-layout-flex wp-block-gallery-is-layout-flex"><figure><img data-id="7" src="a"/></figure></figure>',
  },
  {
    name: 'images of collapsed details are not urgent',
    input: block('details', '<details class="wp-block-details"><summary>s</summary><img src="a"></details>'),
    output:
      '<details class="wp-block-details is-layout-flow wp-block-details-is-layout-flow"><summary>s</summary><img fetchpriority="low" src="a"></details>',
  },
  {
    name: 'images of open details are',
    input: block('details', '<details class="d"><img src="a"></details>', '{"showContent":true}'),
    output: '<details class="d is-layout-flow wp-block-details-is-layout-flow"><img src="a"></details>',
  },
];

const others: Row[] = [
  { name: 'an empty button is not shown', input: block('button', '<div><a class="x"></a></div>'), output: '' },
  {
    name: 'a hidden block is not shown',
    input: `a${block('group', paragraph, '{"metadata":{"blockVisibility":false}}')}b`,
    output: 'ab',
  },
  { name: 'a short code gets paragraphs', input: block('shortcode', '\n[x]\n'), output: '<p>[x]</p>\n' },
  {
    name: 'blocks without markup of their own show nothing',
    input: '<!-- wp:archives /--><!-- wp:x/y {"a":1} /-->',
    output: '',
  },
  {
    name: 'delimiters go, all else stays',
    input: `a\n\n${block('x/y', '<div>b</div>', '{"c":1}')}\n\nd`,
    output: 'a\n\n<div>b</div>\n\nd',
  },
  {
    name: 'a block placed in a row says so',
    input: block(
      'group',
      `<div class="g">${block('paragraph', '<p>a</p>', '{"style":{"layout":{"selfStretch":"fill","flexSize":null}}}')}</div>`,
      '{"layout":{"type":"flex"}}',
    ),
    output:
      '<div class="g is-layout-flex wp-block-group-is-layout-flex"><p class="wp-container-content-9cfa9a5a wp-block-paragraph">a</p></div>',
  },
];

describe('classes are given to', () => {
  testRows(classes, render);
});

describe('layout classes are given to', () => {
  testRows(containers, render);
});

describe('in the rendering of blocks', () => {
  testRows([...media, ...others], render);
  testRows(
    unchanged({
      'separators stay': '<hr class="wp-block-separator has-alpha-channel-opacity"/>',
      'tables stay': '<figure class="wp-block-table"><table><tbody><tr><td>a</td></tr></tbody></table></figure>',
    }),
    (html) => render(block('separator', html)),
  );
});

describe('footnotes', () => {
  const notes = (footnotes: string): string => renderBlocks('<!-- wp:footnotes /-->', alone(footnotes));

  it('are listed with links back', () => {
    expect(notes('[{"id":"a1","content":"one"},{"id":"b2","content":"<b>two</b>"}]')).toBe(
      '<ol class="wp-block-footnotes"><li id="a1">one <a href="#a1-link" aria-label="Jump to footnote reference 1">↩︎</a></li>' +
        '<li id="b2"><b>two</b> <a href="#b2-link" aria-label="Jump to footnote reference 2">↩︎</a></li></ol>',
    );
  });

  it.each(['', '[]', 'no list', '5'])('show nothing for %j', (footnotes) => {
    expect(notes(footnotes)).toBe('');
  });

  it('contain no harmful markup', () => {
    expect(notes('[{"id":"\\"><script>","content":"<script>x</script>"}]')).not.toContain('<script');
  });
});

describe('a content with blocks', () => {
  testRows(
    [
      { name: 'gets no paragraphs of its own', input: `a\n\n${paragraph}\nb`, output: `a\n\n${shown}\nb` },
      {
        name: 'gets typography',
        input: block('paragraph', '<p>"a" -- b</p>'),
        output: '<p class="wp-block-paragraph">&#8220;a&#8221; &#8212; b</p>',
      },
      {
        name: 'keeps code as it is',
        input: block('code', '<pre class="wp-block-code"><code>"a" -- b</code></pre>'),
        output: '<pre class="wp-block-code"><code>"a" -- b</code></pre>',
      },
      {
        name: 'eases the loading of images',
        input: block('image', '<figure><img src="a"/></figure>'),
        output: '<figure><img decoding="async" src="a"/></figure>',
      },
    ],
    (text) => renderContent(text),
  );
});
