import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, type Site, startSite } from '../support/site.ts';
import { fetchFile, pngOf, uploadBody } from '../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** Does a write, and returns a position in its commit. */
async function written(as: As, request: string, body?: unknown): Promise<number> {
  site.clock.now += 61_000;
  const { status, body: answer } = await site.call(as, request, body);
  expect([request, status < 400, answer?.code]).toEqual([request, true, undefined]);
  return site.position();
}

async function undo(body: object, as: As = 'editor') {
  site.clock.now += 61_000;
  return site.call(as, 'POST /history/undo', body);
}

/** An item as an editor sees it, but for when it was saved. */
async function shown(path: string) {
  const { body } = await site.call('administrator', `GET ${path}?context=edit`);
  const { modified: _, modified_gmt: __, _links: ___, ...rest } = body;
  return rest;
}

describe('undo', () => {
  it('shows what would be done, does it as one commit, and is undone itself', async () => {
    const id = await site.make('editor', '/posts', { title: 'One', content: 'Right', status: 'publish' });
    const before = await shown(`/posts/${id}`);
    const commit = await written('editor', `PATCH /posts/${id}`, { title: 'Two', content: 'Wrong', sticky: true });
    const after = await shown(`/posts/${id}`);

    const plan = await undo({ commits: [commit], dry_run: true });
    expect(plan.body).toMatchObject({
      done: false,
      left: 0,
      items: [{ id, act: 'change', fields: expect.arrayContaining([{ name: 'title', now: 'Two', earlier: 'One' }]) }],
    });
    expect(await shown(`/posts/${id}`)).toEqual(after);

    const { status, body } = await undo({ commits: [commit] });
    expect([status, body.done]).toEqual([200, true]);
    expect(await shown(`/posts/${id}`)).toEqual(before);
    const { body: events } = await site.call('administrator', `GET /audit?entry=${id}&per_page=1`);
    const all = [...site.node.log.read({ from: site.position(), limit: 1 })];
    expect(all[0]?.commit.n).toBeGreaterThan(2);
    expect(events[0].correlation_id).toBe(all[0]?.correlationId);

    expect((await undo({ commits: [site.position()] })).status).toBe(200);
    expect(await shown(`/posts/${id}`)).toEqual(after);
  });

  it('brings back what was deleted for good: number, address, terms, comments, parent, file', async () => {
    const category = await site.make('editor', '/categories', { name: 'Music' });
    const above = await site.make('editor', '/pages', { title: 'Above', status: 'publish' });
    const page = await site.make('editor', '/pages', { title: 'Page', status: 'publish', parent: above });
    const below = await site.make('editor', '/pages', { title: 'Below', status: 'publish', parent: page });
    const post = await site.make('editor', '/posts', { title: 'Post', status: 'publish', categories: [category] });
    const comment = await site.make('editor', '/comments', { post, content: 'Well said' });
    const { body: uploaded } = await uploadBody(site, 'editor', {
      name: 'dot.png',
      type: 'image/png',
      bytes: pngOf(4, 4),
    });
    const file = Number(uploaded.id);
    await written('editor', `PATCH /posts/${post}`, { featured_media: file });
    const paths = [`/pages/${page}`, `/pages/${below}`, `/posts/${post}`, `/comments/${comment}`, `/media/${file}`];
    const everything = () => Promise.all([...paths, `/categories/${category}`].map(shown));
    const before = await everything();

    const deletions = [`/pages/${page}`, `/posts/${post}`, `/media/${file}`, `/categories/${category}`];
    const commits: number[] = [];
    for (const path of deletions) commits.push(await written('administrator', `DELETE ${path}?force=true`));
    expect((await site.call('administrator', `GET /posts/${post}`)).status).toBe(404);

    const { status, body } = await undo({ commits });
    expect([status, body.code]).toEqual([200, undefined]);
    expect(await everything()).toEqual(before);
    expect((await fetchFile(site, before[4].source_url)).status).toBe(200);
    await site.rebuild();
    expect(await everything()).toEqual(before);
  });

  it('leaves what others have changed since, if that is wanted, and says who it was', async () => {
    const id = await site.make('editor', '/posts', { title: 'One', content: 'Right' });
    const commit = await written('editor', `PATCH /posts/${id}`, { title: 'Two', content: 'Wrong' });
    await written('administrator', `PATCH /posts/${id}`, { content: 'Corrected' });
    const refused = await undo({ commits: [commit] });
    expect([refused.status, refused.body.code]).toEqual([409, 'rest_undo_conflicts']);
    expect(refused.body.message).toContain('Its content has been changed since');
    const { body } = await undo({ commits: [commit], conflicts: 'skip' });
    expect(body).toMatchObject({
      done: true,
      left: 1,
      items: [{ conflicts: [{ by: { user: { name: 'administrator' } } }] }],
    });
    const { title, content } = await shown(`/posts/${id}`);
    expect([title.raw, content.raw]).toEqual(['One', 'Corrected']);
  });

  it('does not take back what others need or have taken, what was erased, and who has access', async () => {
    const category = await site.make('editor', '/categories', { name: 'Art' });
    const made = site.position();
    await site.make('author', '/posts', { title: 'Uses it', categories: [category] });
    const inTheWay = async (commit: number, as: As = 'editor') => {
      const { body } = await undo({ commits: [commit], dry_run: true }, as);
      const all = [...body.conflicts, ...body.items.flatMap((item: { conflicts: unknown[] }) => item.conflicts)];
      return all.map(({ field, why }) => [field, why]);
    };
    expect(await inTheWay(made)).toEqual([[null, 'used']]);

    const id = await site.make('editor', '/posts', { title: 'Named', slug: 'named', status: 'publish' });
    const renamed = await written('editor', `PATCH /posts/${id}`, { slug: 'other' });
    await site.make('editor', '/posts', { title: 'New', slug: 'named', status: 'publish' });
    expect(await inTheWay(renamed)).toEqual([['slug', 'taken']]);

    const password = await written('administrator', 'POST /users/2/application-passwords', { name: 'Desktop' });
    expect(await inTheWay(password, 'administrator')).toEqual([[null, 'final']]);
    expect((await undo({ commits: [password], conflicts: 'skip' }, 'administrator')).status).toBe(409);
  });

  it('leaves no two accounts with an address, no site without an administrator, and no setting that names what is gone', async () => {
    const create = (name: string, role: string) =>
      site.make('administrator', '/users', {
        username: name,
        email: `${name}@example.org`,
        password: 'correct horse',
        roles: [role],
      });
    const [ann, bob] = [await create('ann', 'editor'), await create('bob', 'editor')];
    const moved = await written('administrator', `PATCH /users/${ann}`, { email: 'ann.new@example.org' });
    await written('administrator', `PATCH /users/${bob}`, { email: 'ann@example.org' });
    expect((await undo({ commits: [moved] }, 'administrator')).status).toBe(409);

    const page = await site.make('administrator', '/pages', { title: 'Front', status: 'publish' });
    await written('administrator', 'POST /settings', { show_on_front: 'page', page_on_front: page });
    const off = await written('administrator', 'POST /settings', { page_on_front: 0 });
    await written('administrator', `DELETE /pages/${page}?force=true`);
    expect((await undo({ commits: [off] }, 'administrator')).status).toBe(409);
  });

  it('gives nobody more than they may do: whoever edits their own takes back their own', async () => {
    const id = await site.make('author', '/posts', { title: 'Mine', status: 'publish' });
    await written('administrator', `PATCH /posts/${id}`, { sticky: true });
    const removed = await written('administrator', `PATCH /posts/${id}`, { sticky: false });
    expect((await undo({ commits: [removed] }, 'author')).status).toBe(403);
  });

  it('finds all that an account did in a time, and undoes what is undone by fields that others left alone', async () => {
    const ids = [];
    for (const title of ['A', 'B', 'C']) ids.push(await site.make('editor', '/posts', { title, status: 'publish' }));
    const before = await Promise.all(ids.map((id) => shown(`/posts/${id}`)));
    site.clock.now += 61_000;
    const from = `${new Date(site.clock.now).toISOString().slice(0, 19)}Z`;
    for (const id of ids) {
      await written('author', 'POST /posts', { title: 'Own' });
      await written('administrator', `PATCH /posts/${id}`, { title: 'Broken', status: 'private' });
      await written('administrator', `DELETE /posts/${id}`);
    }
    const { status, body } = await undo({ user: 'administrator', from }, 'administrator');
    expect([status, body.commits?.length, body.items?.length]).toEqual([200, 6, 3]);
    expect(await Promise.all(ids.map((id) => shown(`/posts/${id}`)))).toEqual(before);
  });

  it('is for those who may change all of it', async () => {
    const id = await site.make('editor', '/posts', { title: 'Of an editor', status: 'publish' });
    const commit = await written('editor', `PATCH /posts/${id}`, { title: 'Changed' });
    for (const [as, status] of [
      ['author', 403],
      ['subscriber', 403],
      ['anonymous', 401],
    ] as const) {
      expect([as, (await undo({ commits: [commit], dry_run: true }, as)).status]).toEqual([as, status]);
    }
    const settings = await written('administrator', 'POST /settings', { title: 'Another name' });
    expect((await undo({ commits: [settings] })).status).toBe(403);
    expect((await undo({ commits: [settings] }, 'administrator')).status).toBe(200);
  });

  it('says what is wrong with what it is asked', async () => {
    const cases: [object, number, string][] = [
      [{}, 400, 'rest_nothing_named'],
      [{ commits: [1], user: 'editor' }, 400, 'rest_invalid_param'],
      [{ commits: [99_999] }, 404, 'rest_no_such_position'],
      [{ commits: ['x'] }, 400, 'rest_invalid_param'],
      [{ origin: '' }, 400, 'rest_invalid_param'],
      [{ user: ' ', from: '2020-01-01' }, 400, 'rest_invalid_param'],
      [{ user: 'editor', from: '2030' }, 400, 'invalid_period'],
      [{ user: 'nobody' }, 400, 'invalid_username'],
      [{ user: 'editor', from: '2030-01-01' }, 409, 'rest_nothing_to_undo'],
      [{ conflicts: 'merge', commits: [1] }, 400, 'rest_invalid_param'],
    ];
    for (const [body, status, code] of cases) {
      const answer = await undo(body, 'administrator');
      expect([body, answer.status, answer.body.code]).toEqual([body, status, code]);
    }
  });
});
