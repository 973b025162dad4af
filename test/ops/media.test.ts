import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { performOn } from '#ops/perform.ts';
import { verbs } from '#ops/verbs.ts';
import { type Site, startSite } from '../support/site.ts';
import { fetchFile, filesKept, pngOf, uploadBody } from '../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const perform = (verb: string) =>
  performOn(site.node.store, verbs, (error) => expect.unreachable(String(error)))(verb, {});

describe('the commands on media', () => {
  it('list and remove exactly the files that no event names', async () => {
    const { body } = await uploadBody(site, 'author', { name: 'a.png', type: 'image/png', bytes: pngOf(400, 300) });
    const deleted = await uploadBody(site, 'author', { name: 'b.png', type: 'image/png', bytes: pngOf(3, 3) });
    await site.call('author', `DELETE /media/${deleted.body.id}?force=true`);
    const before = filesKept(site);
    expect(await perform('media garbage')).toEqual({ kind: 'done', value: [] });

    const hash = 'ab'.repeat(32);
    mkdirSync(join(site.directory, 'media', 'ab'), { recursive: true });
    writeFileSync(join(site.directory, 'media', 'ab', hash), 'left over');
    expect(await perform('media garbage')).toEqual({ kind: 'done', value: [{ hash, bytes: 9 }] });
    expect(await perform('media sweep')).toEqual({ kind: 'done', value: [{ hash, bytes: 9 }] });
    expect(filesKept(site)).toEqual(before);
    expect((await fetchFile(site, body.media_details.sizes.medium.source_url)).status).toBe(200);
  });
});
