import { readdirSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Segments, segmentSize } from '#projections/views/segments.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const third = Math.floor(segmentSize / 3);
const record = (fill: number) => Buffer.alloc(third, fill);
const lie = (addresses: readonly number[]) => addresses.map((address) => ({ address, length: third }));

function firstOf(segments: Segments, address: number): number {
  const into = Buffer.alloc(third);
  segments.read(address, { into, at: 0, length: third });
  return into[0]!;
}

describe('records in segments', () => {
  it('are read as they were written, also after the files are adopted', () => {
    const directory = temporaryDirectory();
    const first = new Segments(directory);
    const addresses = Array.from({ length: 7 }, (_, i) => first.append(record(i + 1)));
    expect(addresses.map((address) => firstOf(first, address))).toEqual([1, 2, 3, 4, 5, 6, 7]);
    first.syncNow();
    first.close();

    const second = new Segments(directory);
    expect(second.adopt(lie(addresses))).toBe(true);
    addresses.push(second.append(record(8)));
    expect(addresses.map((address) => firstOf(second, address))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    second.close();
  });

  it('are not adopted if some of them are missing', () => {
    const directory = temporaryDirectory();
    const first = new Segments(directory);
    const addresses = Array.from({ length: 4 }, (_, i) => first.append(record(i)));
    first.close();
    truncateSync(join(directory, '1.views'), third - 1);
    expect(new Segments(directory).adopt(lie(addresses))).toBe(false);
  });

  it('leave no unreferenced file behind when adopted', () => {
    const directory = temporaryDirectory();
    const first = new Segments(directory);
    const addresses = Array.from({ length: 7 }, (_, i) => first.append(record(i)));
    first.close();
    const second = new Segments(directory);
    expect(second.adopt(lie(addresses.slice(3, 6)))).toBe(true);
    second.close();
    expect(readdirSync(directory)).toEqual(['1.views']);
  });

  it('have their file reported when most of it is released, and when all of it is', () => {
    const segments = new Segments(temporaryDirectory());
    const addresses = Array.from({ length: 7 }, (_, i) => segments.append(record(i)));
    expect(segments.sparse()).toBeUndefined();
    for (const address of addresses.slice(0, 2)) segments.release(address, third);
    expect([segments.sparse(), segments.empty()]).toEqual([0, []]);
    segments.release(addresses[2]!, third);
    expect([segments.sparse(), segments.empty()]).toEqual([undefined, [0]]);
    segments.remove(segments.empty());
    expect(() => firstOf(segments, addresses[0]!)).toThrow('no record');
    segments.close();
  });
});
