import { describe, expect, it } from 'vitest';
import { Cost, most } from '#text/cost.ts';
import { NeedsTexts, presentCost, readWithTexts, TextResults, Unwanted, withTexts } from '#text/suspended.ts';

const whole = most;
const wait = () => new NeedsTexts([]);

describe('the cost of an answer', () => {
  it('allows as many units as an answer may cost, and says what was left out', () => {
    const cost = new Cost();
    expect([cost.takes(whole), cost.isCut, cost.takes(1), cost.isCut]).toEqual([true, false, false, true]);
  });

  it('is the same however often the work was interrupted', async () => {
    let runs = 0;
    const work = () => {
      const texts = [1, 2, 3].map((n) => {
        presentCost().takes(whole / 4 + n);
        return n;
      });
      if (runs++ < 3) throw wait();
      return { texts, standing: presentCost().standing };
    };
    const made = await withTexts(undefined, (within) => within(work));
    expect(made).toEqual({ texts: [1, 2, 3], standing: { spent: (3 * whole) / 4 + 6, forgiven: 0, isCut: false } });
  });

  it('is taken back for texts that are not shown, as often as it fits into one answer', () => {
    const cost = new Cost();
    const hidden = () => {
      const { standing } = cost;
      cost.takes(whole / 2);
      cost.forgive(standing);
      return cost.standing.spent;
    };
    expect([hidden(), hidden(), hidden()]).toEqual([0, 0, whole / 2]);
  });
});

describe('work whose client has gone', () => {
  it('is given up if it only reads', async () => {
    let runs = 0;
    const read = readWithTexts(
      undefined,
      () => {
        runs += 1;
        throw wait();
      },
      { isGone: () => runs > 0 },
    );
    await expect(read).rejects.toThrow(Unwanted);
    expect(runs).toBe(1);
  });

  it('is finished without rendering if it writes', async () => {
    let runs = 0;
    const written = await withTexts(
      undefined,
      (within) =>
        within(() => {
          if (runs++ === 0) throw wait();
          return presentCost().takes(1) ? 'rendered' : 'left out';
        }),
      { results: new TextResults(), isGone: () => true },
    );
    expect(written).toBe('left out');
  });
});
