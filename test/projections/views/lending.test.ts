import { describe, expect, it } from 'vitest';
import { Lending } from '#projections/views/lending.ts';

describe('lent buffers', () => {
  it('are as long as asked for, and nobody else has them until they are given back', () => {
    const lending = new Lending();
    const lent = [1, 8192, 8193, 65_536, 300_000].map((size) => ({ size, ...lending.lend(size) }));
    for (const [i, { bytes }] of lent.entries()) bytes.fill(i + 1);
    expect(lent.map(({ bytes }) => bytes.length)).toEqual(lent.map(({ size }) => size));
    expect(lent.every(({ bytes }, i) => bytes.every((byte) => byte === i + 1))).toBe(true);
  });

  it('are used again once they are given back, and only once when that happens twice', () => {
    const lending = new Lending();
    const first = lending.lend(100);
    first.release();
    first.release();
    const [second, third] = [lending.lend(200), lending.lend(200)];
    expect(second.bytes.buffer).toBe(first.bytes.buffer);
    expect(third.bytes.buffer).not.toBe(first.bytes.buffer);
  });
});
