import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alikeInShape, cutsOf, fitted } from '#domain/media/sizes.ts';

const length = fc.integer({ min: 1, max: 20_000 });
const image = fc.record({ width: length, height: length });
const box = fc.record({ width: fc.integer({ min: 0, max: 3000 }), height: fc.integer({ min: 0, max: 3000 }) });

describe('fitting', () => {
  it.each([
    [400, 300, 300, 300, 300, 225],
    [465, 700, 177, 177, 118, 177],
    [3000, 10, 300, 300, 300, 1],
    [299, 10, 300, 300, 299, 10],
    [1600, 1200, 768, 0, 768, 576],
  ])('%d × %d into %d × %d gives %d × %d', (width, height, boxWidth, boxHeight, ...expected) => {
    const size = fitted({ width, height }, { width: boxWidth, height: boxHeight });
    expect([size.width, size.height]).toEqual(expected);
  });

  it('never enlarges, stays within the box, and is idempotent', () => {
    fc.assert(
      fc.property(image, box, (given, into) => {
        const size = fitted(given, into);
        expect(size.width <= given.width && size.height <= given.height).toBe(true);
        expect(into.width === 0 || size.width <= into.width).toBe(true);
        expect(into.height === 0 || size.height <= into.height).toBe(true);
        expect(fitted(size, into)).toEqual(size);
      }),
    );
  });
});

describe('the sizes of an image', () => {
  it('are all smaller than the image, and have its aspect ratio unless cropped', () => {
    fc.assert(
      fc.property(image, (given) => {
        for (const cut of cutsOf(given)) {
          expect(cut.width <= given.width && cut.height <= given.height).toBe(true);
          expect(cut.width < given.width || cut.height < given.height).toBe(true);
          if (!cut.crops && given.width >= given.height) expect(alikeInShape(given, cut)).toBe(true);
        }
      }),
    );
  });

  it.each([
    [1, 1, []],
    [150, 150, []],
    [151, 151, []],
    [152, 152, ['thumbnail']],
    [300, 300, ['thumbnail']],
    [302, 10, ['medium', 'thumbnail']],
    [5000, 5000, ['medium', 'large', 'thumbnail', 'medium_large', '1536x1536', '2048x2048']],
  ])('of %d × %d are %j', (width, height, names) => {
    expect(cutsOf({ width, height }).map(({ name }) => name)).toEqual(names);
  });
});
