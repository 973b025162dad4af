import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite({ env: { PREVIEW_URL: 'https://app.example/{type}/{id}/{slug}?t={token}' } });
});
afterAll(() => site.close());

const send = (as: As, request: string, body?: unknown) => site.call(as, request, body);
const seen = (path: string, token: string) =>
  send('anonymous', `GET ${path}${path.includes('?') ? '&' : '?'}preview=${token}`);

describe('a preview', () => {
  it('shows a draft, as its author is writing it, to whoever has the token, and nothing else', async () => {
    const draft = await site.make('editor', '/posts', { title: 'Draft', content: 'Words' });
    const other = await site.make('editor', '/posts', { title: 'Other draft' });
    const { status, body } = await send('editor', 'POST /previews', { item: draft });
    expect([status, body.item]).toEqual([201, draft]);
    expect((await seen(`/posts/${draft}`, body.token)).body.title.rendered).toBe('Draft');
    expect((await seen(`/posts/${other}`, body.token)).status).toBe(401);
    expect((await seen(`/posts/${draft}?context=edit`, body.token)).body.code).toBe('rest_forbidden_context');
    const hidden = await send('anonymous', `POST /posts/${draft}?preview=${body.token}&_method=GET`, {
      context: 'edit',
    });
    expect(hidden.body.code).toBe('rest_forbidden_context');
    for (const more of ['as_of=1', 'release=1'])
      expect((await seen(`/posts/${draft}?${more}`, body.token)).body.code).toBe('rest_invalid_param');
    const { headers } = await seen(`/posts/${draft}`, body.token);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect((await seen('/posts', body.token)).body).toEqual([]);
    expect((await send('anonymous', `GET /posts/${draft}`)).status).toBe(401);
    // A preview cannot write.
    const written = await send('anonymous', `POST /posts/${draft}?preview=${body.token}`, { title: 'X' });
    expect(written.status).toBe(401);
  });

  it('shows no other record that everybody may not see', async () => {
    const parent = await site.make('editor', '/pages', { title: 'Secret parent', status: 'private' });
    const child = await site.make('editor', '/pages', { title: 'Child', parent });
    const { token } = (await send('editor', 'POST /previews', { item: child })).body;
    const { body } = await seen(`/pages/${child}?_embed`, token);
    expect([body.title.rendered, JSON.stringify(body)]).toEqual(['Child', expect.not.stringContaining('Secret')]);
  });

  it('shows a release, and a moment of the past: items, lists and search', async () => {
    const post = await site.make('editor', '/posts', { title: 'Now', status: 'publish' });
    const before = site.position();
    const { id } = (await send('editor', 'POST /releases', { name: 'Launch' })).body;
    await send('editor', `PATCH /posts/${post}?release=${id}`, { title: 'Then' });
    const ahead = (await send('editor', 'POST /previews', { release: id })).body.token;
    expect((await seen(`/posts/${post}`, ahead)).body.title.rendered).toBe('Then');
    const titles = async (path: string, token: string) =>
      (await seen(path, token)).body.map((one: { title: { rendered: string } }) => one.title.rendered);
    expect(await titles('/posts?search=then', ahead)).toEqual(['Then']);
    await send('editor', `PATCH /posts/${post}`, { title: 'Changed' });
    const past = (await send('editor', 'POST /previews', { position: before })).body.token;
    expect(await titles('/posts', past)).toEqual(['Now']);
    expect((await seen(`/posts/${post}`, past)).body.title.rendered).toBe('Now');
  });

  it('ends at its time, when it is withdrawn, and with the account of its maker', async () => {
    const draft = await site.make('author', '/posts', { title: 'Draft' });
    const make = async () => (await send('author', 'POST /previews', { item: draft, days: 1 })).body;
    const [first, second, third] = [await make(), await make(), await make()];
    const status = async (token: string) => (await seen(`/posts/${draft}`, token)).status;
    expect(await status(first.token)).toBe(200);
    expect((await send('contributor', `DELETE /previews/${first.id}`)).status).toBe(404);
    expect((await send('author', `DELETE /previews/${first.id}`)).status).toBe(200);
    expect([await status(first.token), await status(second.token)]).toEqual([403, 200]);
    expect((await send('author', 'GET /previews')).body.map((one: { id: number }) => one.id)).toEqual([
      third.id,
      second.id,
    ]);
    site.clock.now += 2 * 24 * 60 * 60 * 1000;
    expect(await status(second.token)).toBe(403);
    const again = await make();
    await send('administrator', 'DELETE /users/3?force=true&reassign=2');
    expect(await status(again.token)).toBe(403);
    expect(await status(`p99.${'a'.repeat(64)}`)).toBe(403);
  });

  it('is where preview links lead, if the site says so', async () => {
    const post = await site.make('editor', '/posts', {
      title: 'Public',
      content: 'Old',
      status: 'publish',
      slug: 'public',
    });
    site.clock.now += 61_000;
    const { body } = await send('editor', `POST /posts/${post}/autosaves`, { title: 'Being written', content: 'New' });
    const link = new URL(body.preview_link);
    expect(link.origin + link.pathname).toBe(`https://app.example/posts/${post}/public`);
    const token = link.searchParams.get('t') ?? '';
    expect((await seen(`/posts/${post}`, token)).body.title.rendered).toBe('Being written');
    expect((await seen(`/posts/${post}`, token)).body.content.rendered).toContain('New');
    expect((await send('anonymous', `GET /posts/${post}`)).body.title.rendered).toBe('Public');
  });

  it('says what is wrong with what it is asked', async () => {
    const foreign = await site.make('administrator', '/posts', { title: 'Of an administrator' });
    const cases: [As, unknown, number, string][] = [
      ['editor', {}, 400, 'rest_invalid_param'],
      ['editor', { item: 1, release: 1 }, 400, 'rest_invalid_param'],
      ['editor', { item: 9999 }, 404, 'rest_post_invalid_id'],
      ['editor', { release: 99 }, 404, 'rest_release_not_found'],
      ['editor', { position: 999_999 }, 400, 'rest_invalid_param'],
      ['contributor', { item: foreign }, 403, 'rest_cannot_edit'],
      ['contributor', { release: 1 }, 403, 'rest_forbidden'],
      ['subscriber', { item: foreign }, 403, 'rest_forbidden'],
      ['anonymous', { item: foreign }, 401, 'rest_forbidden'],
    ];
    for (const [as, body, status, code] of cases) {
      const answer = await send(as, 'POST /previews', body);
      expect([as, body, answer.status, answer.body.code]).toEqual([as, body, status, code]);
    }
  });
});
