import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { pausesAfter } from '#process/pauses.ts';

/** Pieces of work that arrive one after the other in one turn, by a clock that only they advance. Others have a turn whenever one is there. */
async function performed(pieces: readonly number[], share: number): Promise<readonly string[]> {
  let now = 0;
  const done: string[] = [];
  const pause = pausesAfter(share, () => now);
  let isOver = false;
  const others = async () => {
    while (!isOver) {
      await turn();
      done.push('others');
    }
  };
  const running = others();
  await Promise.all(
    pieces.map(async (length, i) => {
      await turn();
      await pause();
      now += length;
      done.push(`piece ${i}`);
    }),
  );
  isOver = true;
  await running;
  return done;
}

/** Names of the pieces between two turns of the others. */
const together = (done: readonly string[]) =>
  done
    .join()
    .split('others')
    .map((part) => part.split(',').filter((name) => name !== ''))
    .filter(({ length }) => length > 0);

describe('work that arrives in one turn', () => {
  it('gives others a turn as soon as its share is used, and keeps its order', async () => {
    expect(together(await performed([3, 3, 3, 3, 3], 5))).toEqual([
      ['piece 0', 'piece 1'],
      ['piece 2', 'piece 3'],
      ['piece 4'],
    ]);
  });

  it('gives them one after each piece that takes longer than a share', async () => {
    expect(together(await performed([9, 9, 9], 5))).toEqual([['piece 0'], ['piece 1'], ['piece 2']]);
  });
});
