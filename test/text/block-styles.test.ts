import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBalanced } from '#blocks/supports/style-rule.ts';
import { rulesOf } from '#plugins/theme-blocks/rules.ts';
import { sheetOf } from '#text/block-styles.ts';

const rule = (selector: string, styles: unknown, more: object = {}) =>
  rulesOf([{ values: [{ selector, styles, ...more }] }]);

describe('styles of blocks', () => {
  it('become rules that apply only inside their scope', () => {
    expect(sheetOf(rule('.a, h2 > b', { fontSize: '2rem', color: 'red' }), '.content')).toBe(
      '.content .a, .content h2 > b { font-size: 2rem; color: red; }',
    );
    expect(sheetOf(rule('.a', 'color: red; margin:0', { mobile_styles: { margin: 1 } }), '.x')).toBe(
      '.x .a { color: red; margin: 0; }\n@media (max-width: 767px) { .x .a { margin: 1; } }',
    );
    expect(sheetOf(rule('p', {}, { custom_styles: [{ key: '--own', value: '1px' }] }), '.x')).toBe(
      '.x p { --own: 1px; }',
    );
  });

  it.each([
    ['.a } body', { color: 'red' }],
    ['+ header', { color: 'red' }],
    ['.a', { color: 'red } body { display: none' }],
    ['.a', { background: 'url(http://elsewhere.example/x)' }],
    ['.a', { color: '</style><script>' }],
    ['.a', { color: '"red' }],
    ['.a', { 'co lor': 'red' }],
    ['.a[x="]', { color: 'red' }],
  ])('omit rules that could reach outside: %s %j', (selector, styles) => {
    expect(sheetOf(rule(selector, styles), '.content')).toBe('');
  });

  it('are balanced and contain nothing that could leave the scope', () => {
    const marks = fc.string({ unit: fc.constantFrom(...'ab .#:;{}()[]"\'<>/*@\\,u'), maxLength: 12 });
    fc.assert(
      fc.property(marks, marks, marks, (selector, name, value) => {
        const sheet = sheetOf(rule(selector, { [name]: value, color: value }), '.content');
        expect(isBalanced(sheet)).toBe(true);
        expect(sheet).not.toMatch(/[<@\\]|\/\*/);
        expect(sheet === '' || sheet.startsWith('.content ')).toBe(true);
      }),
    );
  });
});
