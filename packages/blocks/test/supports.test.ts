import { describe, expect, it } from 'vitest';
import { Counters } from '../src/counters.ts';
import { type JsonMap, parseJson } from '../src/ordered-json.ts';
import { renderBlocks } from '../src/render-blocks.ts';
import { kebabCase } from '../src/supports/class-names.ts';
import { fluidSize } from '../src/supports/fluid-size.ts';
import { wrapperAttributes } from '../src/supports/wrapper.ts';
import { alone } from '../src/surroundings.ts';
import { type Row, testRows } from './rows.ts';

const block = (name: string, inner: string, attributes: object = {}): string =>
  `<!-- wp:${name} ${JSON.stringify(attributes)} -->${inner}<!-- /wp:${name} -->`;
const render = (text: string): string => renderBlocks(text, alone());
const group = (attributes: object, inner = ''): string =>
  block('group', `<div class="wp-block-group">${inner}</div>`, attributes);
const linkColour = { style: { elements: { link: { color: { text: '#123456' } } } } };

const bound = { metadata: { bindings: { content: { source: 'core/post-meta', args: { key: 'footnotes' } } } } };
const withImage = (url: string) => group({ style: { background: { backgroundImage: { url } } } });
const inGroup = (style: string) =>
  `<div ${style}class="wp-block-group is-layout-flow wp-block-group-is-layout-flow has-background"></div>`;

const particular: Row[] = [
  {
    name: 'values that a paragraph is bound to',
    input: block('paragraph', '<p>Else</p>', bound),
    output: '<p class="wp-block-paragraph"></p>',
  },
  {
    name: 'an address with a quotation mark, which is no image',
    input: withImage("http://e/a'b.png"),
    output: inGroup('style="background-image:url(&apos;http://e/a&apos;b.png&apos;);background-size:cover;" '),
  },
  {
    name: 'but no address that could hold another value',
    input: withImage("http://e/a');color:red;x:url('b"),
    output: inGroup('style="background-size:cover;" '),
  },
  {
    name: 'covers of any aspect ratio',
    input: block('cover', '<div></div>', { style: { dimensions: { aspectRatio: 'auto' } } }),
    output:
      '<div style="aspect-ratio:unset;" class="is-layout-flow wp-block-cover-is-layout-flow has-aspect-ratio"></div>',
  },
];

describe('blocks with particular values', () => testRows(particular, render));

describe('the outer tag of a block made by the server', () => {
  const styleOf = (style: object) =>
    /^style="([^"]*)"/.exec(wrapperAttributes('core/post-title', parseJson(JSON.stringify({ style })) as JsonMap))?.[1];

  it.each<[string, object, string]>([
    [
      'a font of the site',
      { typography: { fontFamily: 'var:preset|font-family|my-font' } },
      'font-family:var(--wp--preset--font-family--my-font)',
    ],
    ['a width without a unit', { border: { width: 0, radius: '2' } }, 'border-radius:2px;border-width:0px'],
    ['nothing behind a semicolon', { spacing: { margin: { top: 'a;b:c' } } }, 'margin-top:a'],
    ['no address of another site', { spacing: { margin: { top: 'url(http://e)' } } }, ''],
  ])('has %s', (_, style, expected) => {
    expect(styleOf(style) ?? '').toBe(expected);
  });
});

const numbered: Row[] = [
  {
    name: 'colours of links and headings, the outer block first',
    input: group(linkColour, block('paragraph', '<p>a</p>', linkColour)),
    output:
      '<div class="wp-block-group wp-elements-1 is-layout-flow wp-block-group-is-layout-flow"><p class="wp-elements-2 wp-block-paragraph">a</p></div>',
  },
  {
    name: 'but not of buttons, nor what is no colour',
    input:
      block('button', '<div><a>a</a></div>', linkColour) +
      block('quote', '<p>b</p>', { style: { elements: { link: { spacing: 1 } } } }),
    output: '<div><a>a</a></div><p class="is-layout-flow wp-block-quote-is-layout-flow">b</p>',
  },
  {
    name: 'variations of style that the site has rules for',
    input:
      block('separator', '<hr class="is-style-wide"/>', { className: 'is-style-wide' }) +
      block('separator', '<hr class="is-style-dots"/>', { className: 'is-style-dots' }),
    output: '<hr class="is-style-wide is-style-wide--1"/><hr class="is-style-dots"/>',
  },
  {
    name: 'sticky positions, and also those without effect',
    input:
      group({ style: { position: { type: 'fixed' } } }) + group({ style: { position: { type: 'sticky', top: '0' } } }),
    output:
      '<div class="wp-block-group is-layout-flow wp-block-group-is-layout-flow"></div>' +
      '<div class="wp-block-group is-layout-flow wp-block-group-is-layout-flow wp-container-2 is-position-sticky"></div>',
  },
  {
    name: 'galleries, the inner one first',
    input: block('gallery', `<figure>${block('gallery', '<div></div>')}</figure>`),
    output:
      '<figure class="wp-block-gallery-2 is-layout-flex wp-block-gallery-is-layout-flex"><div class="wp-block-gallery-1 is-layout-flex wp-block-gallery-is-layout-flex"></div></figure>',
  },
  {
    name: 'blocks that are hidden',
    input: group({ metadata: { blockVisibility: false } }, block('gallery', '<p></p>')) + block('gallery', '<b></b>'),
    output: '<b class="wp-block-gallery-2 is-layout-flex wp-block-gallery-is-layout-flex"></b>',
  },
  {
    name: 'pictures in two colours',
    input: ['["#000","#fFf"]', '"var:preset|duotone|midnight"', '"var:preset|duotone|x"', '"unset"']
      .map((value) => `<!-- wp:image {"style":{"color":{"duotone":${value}}}} --><img src="a"><!-- /wp:image -->`)
      .join(''),
    output:
      '<img class="wp-duotone-000-fff-1" src="a"><img class="wp-duotone-midnight" src="a">' +
      '<img class="wp-duotone-varpresetduotonex-2" src="a"><img class="wp-duotone-unset-3" src="a">',
  },
];

const styled: Row[] = [
  {
    name: 'a background image',
    input: block('quote', '<p style="color:red">a</p>', {
      style: { background: { backgroundImage: { url: 'http://example.org/a.png' }, backgroundSize: 'contain' } },
    }),
    output:
      '<p class="is-layout-flow wp-block-quote-is-layout-flow has-background" style="color:red;background-image:url(&apos;http://example.org/a.png&apos;);background-position:50% 50%;background-size:contain;">a</p>',
  },
  {
    name: 'no background image whose address ends its quotation',
    input: group({ style: { background: { backgroundImage: { url: "a');x:y" } } } }),
    output:
      '<div style="background-size:cover;" class="wp-block-group is-layout-flow wp-block-group-is-layout-flow has-background"></div>',
  },
  {
    name: 'a cover of a least height',
    input: block('cover', '<div class="c" style="min-height:5px;"></div>', { minHeight: 5 }),
    output:
      '<div class="c is-layout-flow wp-block-cover-is-layout-flow" style="min-height:5px;aspect-ratio:unset;"></div>',
  },
  {
    name: 'a size of text that follows the view',
    input: block('paragraph', '<p style="color:red;font-size:20px">a</p>', {
      style: { typography: { fontSize: '20px' } },
    }),
    output:
      '<p class="wp-block-paragraph" style="color:red;font-size:clamp(14px, 0.875rem + ((1vw - 3.2px) * 0.588), 20px);">a</p>',
  },
  {
    name: 'a block that some screens do not show, its images of no special urgency',
    input: block('group', '<div><img src="a"></div>', {
      metadata: { blockVisibility: { viewport: { tablet: false, mobile: false, desktop: true } } },
    }),
    output:
      '<div class="is-layout-flow wp-block-group-is-layout-flow wp-block-hidden-mobile wp-block-hidden-tablet"><img fetchpriority="auto" src="a"></div>',
  },
];

const scripted: Row[] = [
  {
    name: 'a file with a preview',
    input: block('file', '<div><object aria-label="a.pdf"></object></div>', { displayPreview: true }),
    output:
      '<div data-wp-interactive="core/file"><object data-wp-bind--hidden="!state.hasPdfPreview" hidden aria-label="Embed of a.pdf."></object></div>',
  },
  {
    name: 'an item of an accordion without a panel, not at all',
    input: block('accordion-item', '<div class="wp-block-accordion-item">a</div>'),
    output: '<div class="wp-block-accordion-item is-layout-flow wp-block-accordion-item-is-layout-flow">a</div>',
  },
];

describe('numbers are given to', () => {
  testRows(numbered, render);

  it('the texts of one response consecutively', () => {
    const counters = new Counters();
    const text = block('paragraph', '<p>a</p>', linkColour);
    expect(renderBlocks(text, { footnotes: '', counters })).toContain('wp-elements-1');
    expect(renderBlocks(text, { footnotes: '', counters })).toContain('wp-elements-2');
  });
});

describe('style attributes of blocks affect', () => {
  testRows(styled, render);
});

describe('script hooks are given to', () => {
  testRows(scripted, render);

  it('an accordion and its items', () => {
    const item = (n: number, attributes: object): string =>
      block(
        'accordion-item',
        `<div class="wp-block-accordion-item is-open">${block('accordion-heading', `<h3><button class="wp-block-accordion-heading__toggle">T${n}</button></h3>`)}${block('accordion-panel', '<div class="wp-block-accordion-panel"><img src="a"></div>')}</div>`,
        attributes,
      );
    const html = render(
      block('accordion', `<div class="wp-block-accordion">${item(1, { openByDefault: true })}${item(2, {})}</div>`),
    );
    expect(html).toContain('<button aria-expanded="true" aria-controls="accordion-item-1-panel"');
    expect(html).toContain('<button aria-expanded="false" aria-controls="accordion-item-2-panel"');
    expect(html.match(/is-open/g)).toHaveLength(3);
    expect(html.match(/fetchpriority="low"/g)).toHaveLength(1);
  });

  it('an image that a click enlarges, with a button after it', () => {
    const picture = block('image', '<figure class="wp-block-image"><img src="a"/><figcaption>c</figcaption></figure>', {
      lightbox: { enabled: true },
    });
    const html = render(picture + picture);
    expect(html).toMatch(/^<figure data-wp-context="\{&quot;imageId&quot;:&quot;\w{13}&quot;\}" data-wp-interactive/);
    expect(html).toMatch(/<img [^>]*src="a"\/><button\s+class="lightbox-trigger"/);
    expect(new Set(html.match(/data-wp-key="\w+"/g))).toHaveLength(2);
  });
});

describe('font sizes', () => {
  it.each([
    ['2rem', 'clamp(1.25rem, 1.25rem + ((1vw - 0.2rem) * 1.176), 2rem)'],
    ['20px', 'clamp(14px, 0.875rem + ((1vw - 3.2px) * 0.588), 20px)'],
    ['14px', '14px'],
    ['0.5em', '0.5em'],
    ['3vw', '3vw'],
    ['clamp(1px, 2px, 3px)', 'clamp(1px, 2px, 3px)'],
  ])('%s', (given, shown) => {
    expect(fluidSize(given)).toBe(shown);
  });
});

describe('class names', () => {
  it.each([
    ['Vivid Red', 'vivid-red'],
    ['g1', 'g-1'],
    ['xLarge', 'x-large'],
    ['b2', 'b-2'],
    ['my Font', 'my-font'],
    ['a__b', 'a-b'],
    ['', ''],
  ])('%s', (given, shown) => {
    expect(kebabCase(given)).toBe(shown);
  });
});

describe('the outer element of a server-rendered block', () => {
  const wrap = (name: string, attributes: object, extra = {}): string =>
    wrapperAttributes(name, parseJson(JSON.stringify(attributes)) as JsonMap, extra);

  it('has style, class and id in this order', () => {
    expect(wrap('core/site-title', { anchor: 'a', className: 'b', style: { color: { text: 'red' } } })).toBe(
      'style="color:red" class="b wp-block-site-title has-text-color" id="a"',
    );
  });

  it('has its own classes first', () => {
    expect(wrap('core/post-title', { align: 'wide' }, { classes: ['own'] })).toBe(
      'class="own alignwide wp-block-post-title"',
    );
  });

  it('prefers a preset to a value', () => {
    expect(wrap('core/post-title', { textColor: 'base', style: { color: { text: '#000' } } })).toBe(
      'class="wp-block-post-title has-text-color has-base-color"',
    );
  });

  it('escapes what could end an attribute', () => {
    expect(wrap('core/post-title', { className: 'a" onclick="b' })).toBe(
      'class="a&quot; onclick=&quot;b wp-block-post-title"',
    );
  });

  it('writes sides in the given order', () => {
    expect(
      wrap('core/post-title', {
        style: {
          border: { radius: { topLeft: '1px' }, top: { color: 'var:preset|color|base', width: '1px' } },
          spacing: { margin: { top: '0', bottom: 'var:preset|spacing|b2' }, padding: '2px' },
        },
      }),
    ).toBe(
      'style="border-top-left-radius:1px;border-top-width:1px;border-top-color:var(--wp--preset--color--base);padding:2px;margin-top:0;margin-bottom:var(--wp--preset--spacing--b-2)" class="wp-block-post-title"',
    );
  });

  it('omits what the block does not support', () => {
    expect(wrap('core/avatar', { textColor: 'base', style: { dimensions: { minHeight: '1px' }, shadow: 'x' } })).toBe(
      'class="wp-block-avatar"',
    );
  });
});
