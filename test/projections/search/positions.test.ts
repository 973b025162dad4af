import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PositionReader, PositionWriter } from '#projections/search/positions.ts';

const end = 2 ** 31 - 1;

/** Distances from one to millions, in runs of similar ones. */
const list = fc
  .array(fc.tuple(fc.nat(26), fc.array(fc.nat(2 ** 26), { minLength: 1, maxLength: 700 })), {
    minLength: 1,
    maxLength: 6,
  })
  .map((runs) => runs.flatMap(([shift, distances]) => distances.map((distance) => 1 + (distance >>> shift))))
  .map((distances) => {
    let position = -1;
    return Uint32Array.from(distances, (distance) => (position += distance)).filter((one) => one < end);
  });

it('lists of positions are read as they were written, whatever the distances', () => {
  fc.assert(
    fc.property(fc.array(list, { minLength: 1, maxLength: 5 }), (lists) => {
      const writer = new PositionWriter(16);
      const starts = lists.map((positions) => {
        const start = writer.size;
        writer.begin(positions.length, end);
        writer.write(positions);
        writer.end();
        return start;
      });
      const ends = [...starts.slice(1), writer.size];
      const reader = new PositionReader(writer.finish().slice());
      const read = starts.map((start, i) => {
        const found: number[] = [];
        reader.open(start, ends[i]!);
        for (let count = reader.read(); count > 0; count = reader.read())
          found.push(...reader.found.subarray(0, count));
        return found;
      });
      expect(read).toEqual(lists.map((positions) => [...positions]));
    }),
    { numRuns: 60 },
  );
});
