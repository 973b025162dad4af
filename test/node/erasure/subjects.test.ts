import { afterAll, beforeAll, expect, it } from 'vitest';
import { hooks } from '#domain/hooks/area.ts';
import { cacheAssets } from '#domain/page-assets/area.ts';
import { analytics } from '#plugins/analytics/area.ts';
import { themeStyles } from '#plugins/theme-blocks/area.ts';
import { ordered } from '../../support/erasure-order.ts';
import { carryOut } from '../../support/place.ts';
import { startPluginSite } from '../../support/plugins.ts';
import { rebuilt } from '../../support/rebuilding.ts';
import type { Site } from '../../support/site.ts';
import { pngOf, uploadBody } from '../../support/uploads.ts';
import { filesWith, typed } from './support.ts';

/** Words that occur in everything to be erased with a subject of each kind. */
const words = { user: 'Theophrastus', entry: 'Aristoxenus', media: 'Dicaearchus' };
const kinds = Object.keys(words) as (keyof typeof words)[];
const ids = { user: '', entry: '', media: '' };
let site: Site;

beforeAll(async () => {
  site = await startPluginSite('A');
  const key = (name: string) => ({ headers: { 'idempotency-key': name } });
  const user = await typed(site.node, 'user add', {
    login: words.user,
    role: 'author',
    email: `${words.user}@x.example`,
  });
  ids.user = String((user as { value: { id: number } }).value.id);
  const made = { title: words.entry, slug: 'plain', status: 'publish' };
  ids.entry = String((await site.call('editor', 'POST /posts', made, key('entry'))).body.id);
  const { body } = await uploadBody(site, 'author', { name: 'a.png', type: 'image/png', bytes: pngOf(40, 30) });
  ids.media = String(body.id);
  await site.call('author', `PUT /media/${body.id}`, { caption: words.media, title: words.media }, key('media'));

  const entry = Number(ids.entry);
  const slot = { entry, kind: 'ccss', variant: 'desktop' } as const;
  const asset = { ...slot, url: `https://x.example/${words.entry}`, hash: '', data: words.entry };
  const style = { scope: 'post', post: entry, styles: [{ css: words.entry }] } as const;
  const viewer = { id: Number(ids.user), role: 'author' } as const;
  const counted = { action: 'a', properties: { who: words.user }, day: '2026-11-20' };
  const hook = { id: 1, user: viewer.id, resources: [], changes: [], statuses: [], secret: 'secret' };
  const sent = { ...hook, address: `https://x.example/${words.user}` };
  await site.node.store.submit({ viewer, correlationId: 'test' }, (session) => {
    session.stage(cacheAssets.stream, [{ type: 'PageAssetStored', data: asset }]);
    session.stage(themeStyles.stream, [{ type: 'BlockStylesSaved', data: style }]);
    session.stage(hooks.stream, [{ type: 'HookAdded', data: sent }]);
    session.stage(analytics.stream, [{ type: 'AnalyticsEventRecorded', data: counted }]);
  });
  while (site.node.work());
});
afterAll(() => site.close());

it.each(kinds)(
  'an erased %s has no text left in any file of the data directory, including data of plugins',
  async (kind) => {
    expect(filesWith(site.directory, words[kind])).not.toEqual([]);
    const of = kind === 'user' ? { login: words.user } : { id: ids[kind] };
    expect(await typed(site.node, `erase ${kind}`, { ...of, ...ordered })).toMatchObject({ kind: 'done' });
    expect(filesWith(site.directory, words[kind])).toEqual([]);
    const others = kinds.slice(kinds.indexOf(kind) + 1);
    for (const other of others) expect(filesWith(site.directory, words[other])).not.toEqual([]);
    expect(await carryOut(site.directory, 'verify')).toMatchObject({ kind: 'done' });
    expect(await rebuilt(site.node.store.rebuilding, { check: true })).toMatchObject({ differences: [] });
  },
);
