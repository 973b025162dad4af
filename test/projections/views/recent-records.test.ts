import { describe, expect, it } from 'vitest';
import { RecentRecords } from '#projections/views/record-reader.ts';

const size = 60_000;
const maxBytes = 8 * 2 ** 20;
const filled = (value: number) => (into: Buffer, at: number) => {
  into.fill(value, at, at + size);
  return true;
};

function kept(records: RecentRecords, address: number, length = size): Buffer | null {
  const into = Buffer.alloc(length + 2);
  return records.copy(address, { into, at: 1, length }) ? into : null;
}

describe('recently read records', () => {
  it('are copied as they were read, without touching adjacent bytes', () => {
    const records = new RecentRecords(maxBytes);
    for (const address of [1, 2, 3]) records.keep(address, size, filled(address));
    expect(kept(records, 2, 5)).toEqual(Buffer.from([0, 2, 2, 2, 2, 2, 0]));
    expect(kept(records, 4)).toBeNull();
  });

  it('are not kept when reading them failed', () => {
    const records = new RecentRecords(maxBytes);
    expect(records.keep(1, size, () => false)).toBe(false);
    expect(kept(records, 1)).toBeNull();
  });

  it('are dropped for later ones beyond the maximum size, oldest first', () => {
    const records = new RecentRecords(maxBytes);
    for (let address = 0; address < 200; address++) records.keep(address, size, filled(address));
    const present = Array.from({ length: 200 }, (_, address) => kept(records, address));
    expect(present[0]).toBeNull();
    expect(present.filter((record) => record !== null).length).toBeGreaterThan(110);
    for (const [address, record] of present.entries()) if (record !== null) expect(record[1]).toBe(address);
    expect(present[199]?.at(-2)).toBe(199);
  });

  it('are not kept if there is no room for any', () => {
    expect(new RecentRecords(0).keeps(size)).toBe(false);
    expect(new RecentRecords(maxBytes).keeps(size)).toBe(true);
  });
});
