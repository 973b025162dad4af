import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { damagesOf, flipAt, targets, tryDamage, wholeSite } from './support.ts';

const parts = [0, 0.02, 0.05, 0.1, 0.17, 0.23, 0.31, 0.4, 0.46, 0.53, 0.6, 0.66, 0.72, 0.8, 0.87, 0.93, 0.98, 0.995, 1];

describe.each([false, true])('after a kill: %s', (isKilled) => {
  it.each(targets())('a site is right, or names $name, wherever that is damaged', async (target) => {
    const whole = await wholeSite({ isKilled });
    if (!existsSync(join(whole.directory, target.name))) return;
    const wrong: string[] = [];
    for (const damage of damagesOf(target, parts.map(flipAt))) {
      await tryDamage(whole, target, damage).catch((error: Error) => wrong.push(`${damage.name}: ${error.message}`));
    }
    expect(wrong).toEqual([]);
  });
});
