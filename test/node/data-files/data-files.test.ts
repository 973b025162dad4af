import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dataFiles } from '#node/data-files.ts';
import { damagesOf, flipAt, targets, tryDamage, undescribed, wholeSite } from './support.ts';

it('the table of files has all that is in a data directory, as the guide has', async () => {
  const { directory } = await wholeSite();
  expect(undescribed(directory)).toEqual([]);
  const missing = dataFiles.filter(({ kind, name }) => kind !== 'passing' && !existsSync(join(directory, name)));
  expect(missing.map(({ name }) => name)).toEqual(['shared-log']);
  const guide = readFileSync(new URL('../../../docs/operations/running.md', import.meta.url), 'utf8');
  expect(dataFiles.filter(({ name, isFolder }) => !guide.includes(`\`${name}${isFolder ? '/' : ''}\``))).toEqual([]);
});

it('a damaged file is made again, or named: the site is right, and signs nothing that is not', async () => {
  const whole = await wholeSite();
  for (const target of targets()) {
    if (!existsSync(join(whole.directory, target.name))) continue;
    const all = damagesOf(target, [flipAt(0.5)]);
    for (const damage of target.row.kind === 'derived' ? all.slice(0, 1) : all) {
      try {
        await tryDamage(whole, target, damage);
      } catch (error) {
        throw new Error(`${target.name}: ${damage.name}`, { cause: error });
      }
    }
  }
});
