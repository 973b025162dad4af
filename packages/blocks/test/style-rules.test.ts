import { describe, expect, it } from 'vitest';
import { Counters } from '../src/counters.ts';
import { renderContent } from '../src/render.ts';
import { type ClassRule, sheetText } from '../src/supports/style-rule.ts';

function shown(text: string): { readonly html: string; readonly css: string } {
  const all: ClassRule[] = [];
  const html = renderContent(text, { footnotes: '', counters: new Counters(), rules: (rules) => all.push(...rules) });
  return { html, css: sheetText(all) };
}

const block = (name: string, attributes: object, inside = '') =>
  `<!-- wp:${name} ${JSON.stringify(attributes)} -->\n<div class="wp-block-${name}">${inside}</div>\n<!-- /wp:${name} -->`;
const picture = '<img src="a.jpg" alt=""/>';
/** The rules with the class of the text in them replaced by `X`. */
const rules = (text: string, pattern = /wp-container-[\w-]+|wp-elements-\d+|wp-duotone-[\w-]+/g) =>
  shown(text).css.replace(pattern, 'X');

describe('the rules that classes stand for', () => {
  it('of columns and of rows', () => {
    expect(rules(block('columns', {}))).toBe('.X{flex-wrap:nowrap}');
    const row = { type: 'flex', flexWrap: 'nowrap', justifyContent: 'space-between', verticalAlignment: 'bottom' };
    expect(rules(block('group', { layout: row }))).toBe(
      '.X{flex-wrap:nowrap;justify-content:space-between;align-items:flex-end}',
    );
    const gap = { spacing: { blockGap: { top: '1px', left: 'var:preset|spacing|50' } } };
    expect(rules(block('columns', { style: gap }))).toBe('.X{flex-wrap:nowrap;gap:1px var(--wp--preset--spacing--50)}');
    expect(rules(block('group', { layout: { type: 'flex', orientation: 'vertical', justifyContent: 'center' } }))).toBe(
      '.X{flex-direction:column;align-items:center}',
    );
  });

  it('of grids', () => {
    expect(rules(block('group', { layout: { type: 'grid', columnCount: 3, rowCount: 2 } }))).toBe(
      '.X{grid-template-columns:repeat(3,minmax(0,1fr));grid-template-rows:repeat(2,minmax(1rem,auto))}',
    );
    expect(rules(block('group', { layout: { type: 'grid', minimumColumnWidth: '10rem' } }))).toBe(
      '.X{grid-template-columns:repeat(auto-fill,minmax(min(10rem,100%),1fr));container-type:inline-size}',
    );
    const inner = block('paragraph', { style: { layout: { columnSpan: 2 } } });
    const css = rules(block('group', { layout: { type: 'grid' } }, inner));
    expect(css).toContain('.X{grid-column:span 2}');
    expect(css).toContain('@container (max-width:25.5rem){.X{grid-column:1/-1}}');
  });

  it('of widths, gaps and places', () => {
    const wide = { layout: { type: 'constrained', contentSize: '30rem', wideSize: '50rem', justifyContent: 'left' } };
    expect(rules(block('group', wide)).split('\n')).toEqual([
      '.X > :where(:not(.alignleft):not(.alignright):not(.alignfull)){max-width:30rem;margin-left:0 !important;margin-right:auto !important}',
      '.X > .alignwide{max-width:50rem}',
      '.X .alignfull{max-width:none}',
    ]);
    expect(rules(block('group', { style: { spacing: { blockGap: '2px' } } })).split('\n')).toEqual([
      '.X > *{margin-block:0}',
      '.X > * + *{margin-block:2px 0}',
    ]);
    const fixed = { style: { layout: { selfStretch: 'fixed', flexSize: '20%' } } };
    expect(rules(block('group', { layout: { type: 'flex' } }, block('paragraph', fixed)))).toContain(
      '.X{flex-basis:20%;box-sizing:border-box}',
    );
  });

  it('of elements, of pictures in two colours, and of what is hidden or stays in view', () => {
    const elements = { link: { color: { text: 'red' }, ':hover': { color: { text: 'var:preset|color|base' } } } };
    expect(rules(block('group', { style: { elements } })).split('\n')).toEqual([
      '.X a:where(:not(.wp-element-button)){color:red}',
      '.X a:where(:not(.wp-element-button)):hover{color:var(--wp--preset--color--base)}',
    ]);
    const two = rules(block('image', { style: { color: { duotone: ['#000', '#ffffff'] } } }, picture));
    expect(two).toMatch(/^\.X img\{filter:url\("data:image\/svg\+xml,%3Csvg .*tableValues='0 1'.*#d"\)\}$/);
    expect(rules(block('image', { style: { color: { duotone: 'unset' } } }, picture))).toBe('.X img{filter:none}');
    const sticky = { style: { position: { type: 'sticky', top: '1rem' } } };
    expect(rules(block('group', sticky))).toBe('.X{top:1rem;position:sticky;z-index:10}');
    expect(rules(block('group', { metadata: { blockVisibility: { viewport: { mobile: false } } } }))).toBe(
      '@media (width <= 480px){.wp-block-hidden-mobile{display:none !important}}',
    );
  });

  it('name classes that are in the text', () => {
    const inner = block(
      'image',
      { style: { color: { duotone: ['#000', '#fff'] }, layout: { selfStretch: 'fill' } } },
      picture,
    );
    const { html, css } = shown(
      block(
        'group',
        { layout: { type: 'flex', flexWrap: 'nowrap' }, style: { elements: { link: { color: { text: 'red' } } } } },
        inner,
      ),
    );
    const named = [...css.matchAll(/\.(wp-[\w-]+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => /\d$|-[\da-f]{8}$/.test(name));
    expect(named.length).toBeGreaterThan(3);
    for (const name of named) expect(html).toMatch(new RegExp(`class="[^"]*\\b${name}\\b`));
  });

  it('contain nothing but values', () => {
    for (const value of [
      'red}body{color:red',
      'url(//x)',
      'red;x:y',
      '</style>',
      '"',
      '\\',
      'var:preset|color|a}b',
      '@import',
    ]) {
      const { css } = shown(
        block('group', {
          layout: { type: 'flex', flexWrap: 'nowrap' },
          style: { elements: { link: { color: { text: value } } }, spacing: { blockGap: value } },
        }),
      );
      expect(css.replace(/\.wp-container-[\w-]+/g, '.X')).toBe('.X{flex-wrap:nowrap}');
    }
  });
});
