import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../../../test/support/site.ts';
import { createClient, type FeedCommit } from '../src/index.ts';
import { startProxy } from './proxy.ts';

let site: Site;
let proxy: Awaited<ReturnType<typeof startProxy>>;
beforeEach(async () => {
  site = await startSite();
  proxy = await startProxy(() => site.port);
});
afterEach(async () => {
  proxy.close();
  await site.close();
});

const write = (title: string, status = 'publish') => site.make('editor', '/posts', { title, status });
/** Posts that the next commits with posts have changed. */
async function posts(feed: AsyncGenerator<FeedCommit>): Promise<readonly number[]> {
  for (;;) {
    const { value } = await feed.next();
    const changed = (value as FeedCommit).changes.filter(({ resource }) => resource === 'posts');
    if (changed.length > 0) return changed.map(({ id }) => id);
  }
}

describe('the feed', () => {
  it('goes on where it was after the server has been started again, and misses nothing', async () => {
    const before = await write('Before');
    const feed = createClient(proxy.root).changes({ since: 0 });
    expect(await posts(feed)).toEqual([before]);
    const first = await write('First');
    expect(await posts(feed)).toEqual([first]);
    const waiting = posts(feed);
    await site.restart();
    const [second, third] = [await write('Second'), await write('Third')];
    expect(await waiting).toEqual([second]);
    expect(await posts(feed)).toEqual([third]);
    expect(proxy.seen.length).toBeGreaterThan(1);
    await feed.return(undefined);
  });

  it('begins now unless it is told where, and keeps its place when it is cut off before the first commit', async () => {
    await write('Old');
    const feed = createClient(proxy.root).changes();
    const waiting = feed.next();
    await expect.poll(() => proxy.seen.length).toBe(1);
    const head = site.position();
    await site.restart();
    const id = await write('New');
    const { value } = await waiting;
    expect(value).toMatchObject({ position: expect.any(Number), at: expect.any(String) });
    expect(value.position).toBeGreaterThan(head);
    expect(value.changes).toContainEqual(expect.objectContaining({ id, what: 'published' }));
    await feed.return(undefined);
  });

  it('shows a user what only they may see', async () => {
    const [login = '', password = ''] = atob(site.authorization('editor').slice('Basic '.length)).split(':');
    const feed = createClient(proxy.root, { login, password }).changes({ since: site.position() });
    const id = await write('Draft', 'draft');
    expect(await posts(feed)).toEqual([id]);
    await feed.return(undefined);
  });

  it('waits while the site cannot answer, ends with its signal, and fails where nothing will help', async () => {
    const since = site.position();
    proxy.fates.push({ status: 503, headers: { 'Retry-After': '0' } }, 'cut');
    const ended = new AbortController();
    const feed = createClient(proxy.root).changes({ since, signal: ended.signal });
    const id = await write('Patient');
    expect(await posts(feed)).toEqual([id]);
    const waiting = feed.next();
    ended.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    const elsewhere = createClient(`http://127.0.0.1:${site.port}/elsewhere`).changes();
    await expect(elsewhere.next()).rejects.toMatchObject({ code: 'not_the_interface', status: 404 });
  });
});
