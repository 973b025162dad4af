import { describe, expect, it } from 'vitest';
import { BufferPool } from '#projections/views/buffer-pool.ts';

describe('buffers from the pool', () => {
  it('have the requested length, and are exclusive until they are released', () => {
    const bufferPool = new BufferPool();
    const lent = [1, 8192, 8193, 65_536, 300_000].map((size) => ({ size, ...bufferPool.lend(size) }));
    for (const [i, { bytes }] of lent.entries()) bytes.fill(i + 1);
    expect(lent.map(({ bytes }) => bytes.length)).toEqual(lent.map(({ size }) => size));
    expect(lent.every(({ bytes }, i) => bytes.every((byte) => byte === i + 1))).toBe(true);
  });

  it('are reused after their release, but only once if it is repeated', () => {
    const bufferPool = new BufferPool();
    const first = bufferPool.lend(100);
    first.release();
    first.release();
    const [second, third] = [bufferPool.lend(200), bufferPool.lend(200)];
    expect(second.bytes.buffer).toBe(first.bytes.buffer);
    expect(third.bytes.buffer).not.toBe(first.bytes.buffer);
  });
});
