import { expect, it } from 'vitest';
import { rowsInTurns } from '#projections/long-rows.ts';
import { readWithTexts } from '#text/suspended.ts';

it('reads every row, and lets others have turns meanwhile', async () => {
  const numbers = Array.from({ length: 70 }, (_, i) => i);
  let turns = 0;
  let isReading = true;
  const count = () => {
    turns += 1;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  const slowly = ({ length }: readonly number[], limit: number) => {
    const until = performance.now() + 12;
    while (performance.now() < until);
    return numbers.slice(length, length + limit);
  };
  const rows = await readWithTexts(undefined, () => rowsInTurns('numbers', slowly, 10));
  isReading = false;
  expect(rows).toEqual(numbers);
  expect(turns).toBeGreaterThan(1);
});
