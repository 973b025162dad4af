import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type EntryStatus, entryStatuses } from '#domain/entry/vocabulary.ts';
import { answerPage } from '#http/pages/pages.ts';
import { demo } from '#ops/demo.ts';
import { performLocally } from '#ops/local-verb.ts';
import { analytics } from '#plugins/analytics/area.ts';
import { messagesIn } from '#site/contact.ts';
import { readConfig } from '../../src/config.ts';
import { openTestNode } from '../support/node.ts';
import { temporaryDirectory } from '../support/temporary.ts';

it('a demonstration is a site with a year of history, and is refused for a folder that is not empty', async () => {
  const directory = join(temporaryDirectory(), 'site');
  const run = () => performLocally(demo, { directory, posts: '30' }, { settings: () => readConfig({}), json: true });
  const ended = await run();
  expect(ended).toMatchObject({ kind: 'done', value: { posts: 30 } });
  const message = expect.stringContaining(`start it with DATA_DIR=${directory}`);
  expect(await run()).toMatchObject({ kind: 'refused', code: 'not_empty', message });
  const settings = () => readConfig({ DATA_DIR: directory });
  expect(await performLocally(demo, {}, { settings, json: true })).toMatchObject({ code: 'not_empty', message });
  const { node } = await openTestNode(directory, { keepSite: true, clock: Date.now });
  const { reader, log } = node.store;
  expect([reader.site().name, reader.users().length]).toEqual(['Marginalia', 9]);
  const [first] = log.read({ from: 1, limit: 1 });
  const days = (Date.parse(log.head().at ?? '') - Date.parse(first?.at ?? '')) / 86_400_000;
  expect(days).toBeGreaterThan(350);
  expect(log.head().position).toBeGreaterThan(100);
  const count = (kind: 'post' | 'page' | 'nav_menu_item', status: EntryStatus) =>
    reader.present().find({ kind, statuses: [{ status }], orderBy: 'date', order: 'desc', offset: 0, limit: 1 }).total;
  const standing = entryStatuses.map((status) => count('post', status));
  expect(standing.map((total) => total > 0)).toEqual([true, true, true, true, true, true]);
  expect(count('page', 'publish')).toBe(3);
  expect(count('nav_menu_item', 'publish')).toBe(7);
  expect(reader.plugin(analytics).days.length).toBeGreaterThan(0);
  expect(messagesIn(reader).length).toBeGreaterThan(0);
  const types = new Set([...log.read({ from: 1 })].map(({ type }) => type));
  for (const type of ['EntryRevised', 'EntryReverted', 'UserErased', 'CommentApproved', 'EntryStuck'])
    expect([type, types.has(type)]).toEqual([type, true]);
  const attempt = () => ({ wait: 0, failed: () => undefined });
  const { body } = answerPage({ url: '/?s=scribe', password: null, attempt }, reader);
  expect(body.join('').match(/<h2>/g)?.length).toBeGreaterThan(2);
  await node.close();
});

it('a small one is made, too, where the post that is sticky would have a password', async () => {
  const directory = join(temporaryDirectory(), 'site');
  const settings = () => readConfig({});
  const ended = await performLocally(demo, { directory, posts: '15' }, { settings, json: true });
  expect(ended).toMatchObject({ kind: 'done', value: { posts: 15 } });
});
