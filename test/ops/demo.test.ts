import { join } from 'node:path';
import { expect, it } from 'vitest';
import { demo } from '#ops/demo.ts';
import { performHere } from '#ops/here.ts';
import { readConfig } from '../../src/config.ts';
import { openTestNode } from '../support/node.ts';
import { temporaryDirectory } from '../support/temporary.ts';

it('a demonstration is a site with a year of history, and is refused for a folder that is not empty', async () => {
  const directory = join(temporaryDirectory(), 'site');
  const run = () => performHere(demo, { directory, posts: '30' }, { config: readConfig({}), json: true });
  const ended = await run();
  expect(ended).toMatchObject({ kind: 'done', value: { posts: 30 } });
  expect(await run()).toMatchObject({ kind: 'refused', code: 'not_empty' });
  const { node } = await openTestNode(directory, { keepSite: true, clock: Date.now });
  const { reader, log } = node.store;
  expect([reader.site().name, reader.users().length]).toEqual(['Marginalia', 8]);
  const [first] = log.read({ from: 1, limit: 1 });
  const days = (Date.parse(log.head().at ?? '') - Date.parse(first?.at ?? '')) / 86_400_000;
  expect(days).toBeGreaterThan(350);
  expect(log.head().position).toBeGreaterThan(100);
  await node.close();
});
