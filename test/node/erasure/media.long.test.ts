import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ordered } from '../../support/erasure-order.ts';
import { carryOut } from '../../support/place.ts';
import { rebuilt } from '../../support/rebuilding.ts';
import { type Site, startSite } from '../../support/site.ts';
import { fetchFile, filesKept, keptPath, pngOf, uploadBody } from '../../support/uploads.ts';
import { filesWith, typed } from './support.ts';

const SECRET = 'Callisthenes';
let site: Site;

async function upload(name: string, bytes: Uint8Array): Promise<number> {
  const { body } = await uploadBody(site, 'author', { name, type: 'image/png', bytes });
  await site.call('author', `PUT /media/${body.id}`, {
    title: name,
    slug: `item-${body.id}`,
    caption: `${name} it is`,
  });
  return body.id;
}

const erase = (id: number, yes = true) => typed(site.node, 'erase media', { id: String(id), ...(yes ? ordered : {}) });

describe('a media item that is erased', () => {
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());

  it('has no text or file left, except files that another item uses', async () => {
    const [own, shared] = [pngOf(400, 300), pngOf(320, 200)];
    const other = await upload('other.png', shared);
    const kept = filesKept(site).length;
    const [first, second] = [await upload(`${SECRET}.png`, own), await upload(`${SECRET}.png`, shared)];
    const post = await site.make('editor', '/posts', { title: 'Post', featured_media: first, status: 'publish' });
    expect(await erase(first, false)).toMatchObject({ code: 'erasure_not_confirmed' });
    const { body } = await site.call('anonymous', `GET /media/${first}`);
    const [stored] = site.node.log.read({ stream: `media-${first}`, limit: 1 });
    const { hash } = JSON.parse(stored?.data ?? '{}') as { hash: string };
    expect(existsSync(keptPath(site, hash))).toBe(true);
    for (const id of [first, second]) expect(await erase(id)).toMatchObject({ kind: 'done', value: { state: 'done' } });
    expect(site.node.store.rebuilding.state.run).toBe(2);
    expect(existsSync(keptPath(site, hash))).toBe(false);
    // A slug is not sealed: that of the upload was derived from the name.
    const named = [...site.node.log.read()].filter(({ sealed }) => sealed?.includes(SECRET));
    expect(named).toEqual([]);
    expect(filesKept(site)).toHaveLength(kept);
    expect((await site.call('anonymous', `GET /posts/${post}`)).body.featured_media).toBe(0);
    expect((await site.call('anonymous', `GET /media/${other}`)).status).toBe(200);
    expect((await fetchFile(site, body.source_url)).status).toBe(404);
  });

  it('is no longer named by its edited copies, and loses sizes that were made later', async () => {
    const file = { name: `${SECRET}-2.png`, type: 'image/png', bytes: pngOf(410, 300) };
    const { body } = await uploadBody(site, 'author', file, { query: 'generate_sub_sizes=false' });
    const before = filesKept(site).length;
    await site.call('author', `POST /media/${body.id}/post-process`, { action: 'create-image-subsizes' });
    expect(filesKept(site)).toHaveLength(before + 1);
    const modifiers = [{ type: 'crop', args: { left: 0, top: 0, width: 10, height: 10 } }];
    const copy = await site.call('author', `POST /media/${body.id}/edit`, {
      src: body.source_url,
      modifiers,
      title: 'Copy',
    });
    expect(copy.body.media_details.parent_image.file).toContain(SECRET);
    expect(await erase(body.id)).toMatchObject({ kind: 'done', value: { state: 'done' } });
    const { media_details: details } = (await site.call('anonymous', `GET /media/${copy.body.id}`)).body;
    expect(details.parent_image).toEqual({ attachment_id: String(body.id), file: '' });
    expect(filesKept(site)).toHaveLength(before);
    expect(await erase(copy.body.id)).toMatchObject({ kind: 'done' });
    expect([...site.node.log.read()].filter(({ sealed }) => sealed?.includes(SECRET))).toEqual([]);
  });

  it('leaves a valid log, matching projections and no garbage', async () => {
    expect(await carryOut(site.directory, 'verify')).toMatchObject({ kind: 'done' });
    expect(await rebuilt(site.node.store.rebuilding, { check: true })).toMatchObject({ differences: [] });
    expect(await typed(site.node, 'media garbage', {})).toEqual({ kind: 'done', value: [] });
    expect(filesWith(site.directory, `${SECRET} it is`)).toEqual([]);
  });

  it('may be uploaded again', async () => {
    const id = await upload('again.png', pngOf(400, 300));
    const { body } = await site.call('anonymous', `GET /media/${id}`);
    expect((await fetchFile(site, body.source_url)).status).toBe(200);
  });

  it('is refused for an id that never existed', async () => {
    for (const yes of [true, false]) expect(await erase(999, yes)).toMatchObject({ code: 'media_not_found' });
  });
});
