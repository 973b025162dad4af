import { describe, expect, it } from 'vitest';
import { Cost, most, presentCost, withCost } from '#text/cost.ts';

const whole = most;

describe('the cost of an answer', () => {
  it('allows as many units as an answer may cost, and says what was left out', () => {
    const cost = new Cost();
    expect([cost.takes(whole), cost.isCut, cost.takes(1), cost.isCut]).toEqual([true, false, false, true]);
  });

  it('is that of the work under way, and no other', () => {
    const [one, two] = [new Cost(), new Cost()];
    withCost(one, () => {
      presentCost().takes(3);
      withCost(two, () => presentCost().takes(5));
      presentCost().takes(4);
    });
    presentCost().takes(100);
    expect([one.standing.spent, two.standing.spent]).toEqual([7, 5]);
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
