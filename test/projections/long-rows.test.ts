import { expect, it } from 'vitest';
import { rowsInTurns } from '#projections/kernel/long-rows.ts';
import { readWithTexts } from '#text/suspended.ts';

it('reads every row once, in order, however many turns it takes', async () => {
  const numbers = Array.from({ length: 70 }, (_, i) => i);
  const slowly = ({ length }: readonly number[], limit: number) => {
    // Longer than a turn.
    const until = performance.now() + 12;
    while (performance.now() < until);
    return numbers.slice(length, length + limit);
  };
  expect(await readWithTexts(undefined, () => rowsInTurns('numbers', slowly, 10))).toEqual(numbers);
});
