import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import Client from 'wpapi';
import { type StartedServer, startServer } from '../support/server.ts';
import { pngOf } from '../support/uploads.ts';

// A generic client of this interface that is given only the root and reads the index.
const folder = mkdtempSync(join(tmpdir(), 'client-'));
let server: StartedServer;
let site: Client;

beforeAll(async () => {
  server = await startServer(join(folder, 'data'));
  const index = (await (await fetch(server.root)).json()) as { routes: Client.Routes };
  const client = new Client({ endpoint: server.root, routes: index.routes });
  site = client.auth({ username: 'admin', password: server.password }).namespace('cms/v2');
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const idsOf = (items: readonly { id: number }[]) => items.map(({ id }) => id);

describe('a client library of this interface family', () => {
  it('creates, reads, updates, finds and deletes a post', async () => {
    const made = await site.posts().create({ title: 'Heron', content: 'Stands still.', status: 'publish' });
    expect(made).toMatchObject({ status: 'publish', title: { raw: 'Heron' } });
    const post = () => site.posts().id(made.id);
    expect(await post()).toMatchObject({ id: made.id, content: { rendered: '<p>Stands still.</p>\n' } });

    expect(await post().update({ title: 'Grey heron' })).toMatchObject({ title: { raw: 'Grey heron' } });
    expect(await post().edit()).toMatchObject({ title: { raw: 'Grey heron' }, content: { raw: 'Stands still.' } });
    expect(idsOf(await site.posts().search('heron'))).toEqual([made.id]);
    expect(idsOf(await site.posts().slug('heron'))).toEqual([made.id]);

    expect(await post().delete()).toMatchObject({ status: 'trash' });
    expect(await post().delete({ force: true })).toMatchObject({ deleted: true, previous: { id: made.id } });
    await expect(post().get()).rejects.toMatchObject({ code: 'rest_post_invalid_id', data: { status: 404 } });
  });

  it('pages through a list and reads its totals', async () => {
    const made: number[] = [];
    for (const title of ['a', 'b', 'c', 'd', 'e']) {
      made.push((await site.pages().create({ title, status: 'publish' })).id);
    }
    const list = () => site.pages().perPage(2).order('asc').orderby('id');
    expect(await list()['headers']()).toMatchObject({ 'x-cms-total': '5', 'x-cms-totalpages': '3' });
    const seen = [];
    for (let page = 1; page <= 3; page += 1) seen.push(...idsOf(await list().page(page)));
    expect(seen).toEqual(made);
    await expect(list().page(4).get()).rejects.toMatchObject({ data: { status: 400 } });
  });

  it('assigns posts to terms, and embeds linked resources', async () => {
    const term = await site.categories().create({ name: 'Birds' });
    const post = await site.posts().create({ title: 'Owl', status: 'publish', categories: [term.id] });
    const [found] = await site.posts().param('categories', term.id).embed();
    expect(found).toMatchObject({ id: post.id, _embedded: { author: [{ name: 'admin' }] } });
    expect(await site.categories().id(term.id)).toMatchObject({ count: 1 });
  });

  it('uploads, describes, attaches and deletes a file', async () => {
    const path = join(folder, 'Reed.png');
    writeFileSync(path, pngOf(40, 30));
    const made = await site.media().file(path).create({ title: 'Reed', alt_text: 'A reed' });
    expect(made).toMatchObject({
      mime_type: 'image/png',
      alt_text: 'A reed',
      media_details: { width: 40, height: 30 },
    });
    const served = Buffer.from(await (await fetch(made.source_url)).arrayBuffer());
    expect(served.equals(readFileSync(path))).toBe(true);

    expect(await site.media().id(made.id).update({ caption: 'At dusk' })).toMatchObject({
      caption: { raw: 'At dusk' },
    });
    expect(await site.posts().create({ title: 'Pond', featured_media: made.id })).toMatchObject({
      featured_media: made.id,
    });
    expect(await site.media().id(made.id).delete({ force: true })).toMatchObject({ deleted: true });
    await expect(site.media().id(made.id).get()).rejects.toMatchObject({ data: { status: 404 } });
  });

  it('lists revisions and creates autosaves of a post', async () => {
    const { id } = await site.posts().create({ title: 'One', content: 'first' });
    await site.posts().id(id).update({ title: 'Two', content: 'second' });
    const revisions = await site.posts().id(id)['revisions']();
    expect(revisions.map(({ title }: { title: { rendered: string } }) => title.rendered)).toContain('Two');
    const saved = await site.posts().id(id)['autosaves']().create({ title: 'Three' });
    expect(saved).toMatchObject({ title: { raw: 'Three' } });
  });

  it('receives the error object of a refused request', async () => {
    const anonymous = new Client({ endpoint: server.root, routes: {} });
    const refused = anonymous.root('cms/v2/posts').create({ title: 'x' });
    await expect(refused).rejects.toMatchObject({ data: { status: 401 } });
  });
});
