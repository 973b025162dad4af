import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBalanced } from '#blocks/supports/style-rule.ts';
import { siteSheet } from '#text/site-sheet.ts';

describe('the styles of a site', () => {
  it('become rules for the page, its elements and its blocks', () => {
    const styles = {
      color: { text: 'black', background: 'var:preset|color|paper' },
      typography: { fontSize: '18px', lineHeight: 1.5 },
      elements: {
        link: { color: { text: 'teal' }, ':hover': { color: { text: 'navy' } } },
        h2: { spacing: { margin: { top: '1em' } } },
      },
      blocks: {
        'core/quote': { border: { width: '2px' }, elements: { cite: { typography: { fontStyle: 'normal' } } } },
        'core/paragraph': { spacing: { padding: '1px' } },
      },
      css: '.own { color: red }',
    };
    expect(siteSheet({ styles }).split('\n')).toEqual([
      'body { color: black; background-color: var(--wp--preset--color--paper); font-size: 18px; line-height: 1.5; }',
      'a { color: teal; }',
      'a:hover { color: navy; }',
      'h2 { margin-top: 1em; }',
      '.wp-block-quote { border-width: 2px; }',
      ':is(.wp-block-quote) cite { font-style: normal; }',
      'p { padding: 1px; }',
      '.own { color: red }',
    ]);
  });

  it('give presets variables and classes', () => {
    const color = { palette: { custom: [{ slug: 'Paper White', color: '#fffef8' }] } };
    expect(siteSheet({ settings: { color, layout: { contentSize: '50rem' } } }).split('\n')).toEqual([
      ':root { --width: 50rem; }',
      ':root { --wp--preset--color--paper-white: #fffef8; }',
      '.has-paper-white-color { color: var(--wp--preset--color--paper-white) !important; }',
      '.has-paper-white-background-color { background-color: var(--wp--preset--color--paper-white) !important; }',
      '.has-paper-white-border-color { border-color: var(--wp--preset--color--paper-white) !important; }',
    ]);
  });

  it.each([
    { color: { text: 'red } body { display: none' } },
    { color: { background: 'url(http://elsewhere.example/x)' } },
    { blocks: { 'core/x } y {': { color: { text: 'red' } } } },
    { elements: { constructor: { color: { text: 'red' } } } },
    { css: 'a{}</style><script>' },
    { css: '@import "x";' },
    { css: 'a {' },
  ])('omit values that do more than styling: %j', (styles) => {
    expect(siteSheet({ styles })).toBe('');
  });

  it('are balanced and contain no markup', () => {
    const marks = fc.string({ unit: fc.constantFrom(...'ab .#:;{}()[]"\'<>/*@\\,u|'), maxLength: 10 });
    fc.assert(
      fc.property(marks, marks, marks, (name, slug, value) => {
        const styles = { color: { text: value }, blocks: { [name]: { color: { text: 'red' } } }, css: value };
        const sheet = siteSheet({ styles, settings: { color: { palette: [{ slug, color: value }] } } });
        expect(isBalanced(sheet.replace(/\/\*.*?\*\//gs, ''))).toBe(true);
        expect(sheet).not.toMatch(/<\/|<!|@import/i);
      }),
    );
  });
});
