import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineTooLong, linesOf } from '#ops/transfer/lines.ts';

async function* pieces(bytes: Buffer, sizes: readonly number[]) {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

describe('lines', () => {
  it('are the same however the bytes arrive', async () => {
    const line = fc.string({ unit: 'grapheme' }).map((each) => each.toWellFormed().replaceAll('\n', ''));
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(fc.array(line), line, sizes, async (lines, rest, each) => {
        const bytes = Buffer.from(lines.map((one) => `${one}\n`).join('') + rest);
        const found = await Array.fromAsync(linesOf(pieces(bytes, each)));
        expect(found.filter(({ whole }) => whole).map(({ text }) => text)).toEqual(lines);
        expect(found.filter(({ whole }) => !whole).map(({ text }) => text)).toEqual(rest === '' ? [] : [rest]);
        expect(found.at(-1)?.end ?? 0).toBe(bytes.length);
      }),
    );
  });

  it('that do not end are given up', async () => {
    await expect(Array.fromAsync(linesOf(pieces(Buffer.alloc(200, 'x'), [9]), 99))).rejects.toThrow(LineTooLong);
  });
});
