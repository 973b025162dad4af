import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLines, LineTooLong } from '#ops/transfer/lines.ts';

function* pieces(bytes: Buffer, sizes: readonly number[]) {
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

describe('lines', () => {
  it('are the same however the bytes are split', () => {
    const line = fc.string({ unit: 'grapheme' }).map((each) => each.toWellFormed().replaceAll('\n', ''));
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(line), line, sizes, (whole, rest, each) => {
        const before = Buffer.from(whole.map((one) => `${one}\n`).join(''));
        const lines = createLines();
        const bytes = Buffer.concat([before, Buffer.from(rest)]);
        const found = [...pieces(bytes, each)].flatMap((piece) => [...lines.take(piece)]);
        expect(found.map((one) => one.bytes.toString())).toEqual(whole);
        expect(found.at(-1)?.end ?? 0).toBe(before.length);
        expect(lines.buffered).toBe(bytes.length - before.length);
      }),
    );
  });

  it('that are too long are refused', () => {
    const lines = createLines(99);
    expect(() => [...pieces(Buffer.alloc(200, 'x'), [9])].flatMap((piece) => [...lines.take(piece)])).toThrow(
      LineTooLong,
    );
  });
});
