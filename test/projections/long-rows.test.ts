import { expect, it } from 'vitest';
import { rowsInPieces } from '#projections/kernel/long-rows.ts';

it('reads every row once, in order, however many pieces there are', () => {
  const numbers = Array.from({ length: 70 }, (_, i) => i);
  expect(rowsInPieces(({ length }, limit) => numbers.slice(length, length + limit), 10)).toEqual(numbers);
});
