import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberSlug, slugify, slugLimit } from '#text/slug.ts';

const parts = [
  '%',
  '%c2',
  '%a0',
  '%41',
  '---',
  'be',
  ' ',
  '&',
  ';',
  '<',
  '>',
  '.',
  '/',
  '-',
  '_',
  'ж',
  'é',
  '👋',
  '\u00a0',
];
const text = fc
  .array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 20 })
  .map((pieces) => pieces.join(''));
const long = fc.tuple(text, fc.integer({ min: 1, max: 300 })).map(([piece, n]) => piece.repeat(n).slice(0, 2000));

describe('every slug', () => {
  it('is its own slug', () => {
    fc.assert(
      fc.property(fc.oneof(text, long), (source) => {
        const slug = slugify(source);
        expect(slugify(slug)).toBe(slug);
      }),
    );
  });

  it('has only plain characters and whole percent escapes, and no dash at either end', () => {
    fc.assert(
      fc.property(fc.oneof(text, long), (source) => {
        expect(slugify(source)).toMatch(/^(?:(?:[a-z0-9_]|%[0-9a-f]{2})+(?:-(?!$))?)*$/);
      }),
    );
  });

  it('fits the limit, also with a number', () => {
    fc.assert(
      fc.property(fc.oneof(text, long), fc.integer({ min: 2, max: 99_999 }), (source, n) => {
        const slug = slugify(source);
        expect(slug.length).toBeLessThanOrEqual(slugLimit);
        expect(numberSlug(slug, n).length).toBeLessThanOrEqual(slugLimit);
        expect(numberSlug(slug, n).endsWith(`-${n}`)).toBe(true);
      }),
    );
  });
});
