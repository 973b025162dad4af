import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PositionReader, PositionWriter, slack } from '#projections/search/positions.ts';

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
      const writer = new PositionWriter();
      const written = lists.map((positions) => {
        writer.begin(positions.length, end);
        writer.write(positions);
        return writer.end().slice();
      });
      const bytes = new Uint8Array(Buffer.concat([...written, new Uint8Array(slack + 3)]));
      const reader = new PositionReader();
      const read = written.map(({ length }, i) => {
        const found: number[] = [];
        reader.open(bytes, Buffer.concat(written.slice(0, i)).length, length);
        for (let count = reader.read(); count > 0; count = reader.read())
          found.push(...reader.found.subarray(0, count));
        return found;
      });
      expect(read).toEqual(lists.map((positions) => [...positions]));
    }),
    { numRuns: 60 },
  );
});
