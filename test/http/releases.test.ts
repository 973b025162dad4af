import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseEntry } from '#commands/erasure.ts';
import { someOrder } from '../support/erasure-order.ts';
import { dump } from '../support/node.ts';
import { type As, type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const send = (as: As, request: string, body?: unknown) => site.call(as, request, body);

async function begin(name = 'Launch'): Promise<number> {
  const { status, body } = await send('editor', 'POST /releases', { name });
  expect([status, body.status]).toEqual([201, 'open']);
  return body.id;
}

const held = (release: number, request: string, body?: unknown, as: As = 'editor') =>
  send(as, `${request}${request.includes('?') ? '&' : '?'}release=${release}`, body);

describe('a release', () => {
  it('answers writes as they will be, keeps them back, shows the site with them, and publishes them as one commit', async () => {
    const post = await site.make('editor', '/posts', { title: 'Old', content: 'Old words', status: 'publish' });
    const release = await begin();
    const edited = await held(release, `PATCH /posts/${post}`, { title: 'New' });
    expect([edited.status, edited.body.title.raw]).toEqual([200, 'New']);
    const made = await held(release, 'POST /pages', { title: 'Landing', status: 'publish' });
    expect([made.status, made.body.status]).toEqual([201, 'publish']);
    const page = made.body.id;
    expect((await held(release, 'POST /pages', { title: 'Below', parent: page, status: 'publish' })).body.parent).toBe(
      page,
    );
    expect((await held(release, `PATCH /pages/${page}`, { content: 'Welcome' })).body.content.raw).toBe('Welcome');

    expect((await send('editor', `GET /posts/${post}`)).body.title.rendered).toBe('Old');
    expect((await send('editor', `GET /pages/${page}`)).status).toBe(404);
    expect((await held(release, `GET /posts/${post}`)).body.title.rendered).toBe('New');
    expect((await held(release, `GET /pages/${page}`)).body.content.rendered).toContain('Welcome');
    const titles = async (path: string) =>
      (await held(release, `GET ${path}`)).body.map((one: { title: { rendered: string } }) => one.title.rendered);
    expect(await titles('/pages?orderby=title&order=asc')).toEqual(['Below', 'Landing']);
    expect(await titles('/posts?search=new')).toEqual(['New']);
    expect(await titles('/posts?search=old')).toEqual(['New']);
    expect((await send('subscriber', `GET /pages/${page}?release=${release}`)).status).toBe(403);

    // Others go on, and get other numbers.
    const other = await site.make('author', '/posts', { title: 'Meanwhile', status: 'publish' });
    expect(other).toBeGreaterThan(page);
    const { status, body } = await send('editor', `POST /releases/${release}/publish`);
    expect([status, body.status]).toEqual([200, 'published']);
    const [last] = site.node.log.read({ direction: 'backwards', limit: 1 });
    const commit = last?.commit;
    expect((await send('anonymous', `GET /posts/${post}`)).body.title.rendered).toBe('New');
    expect((await send('anonymous', `GET /pages/${page}`)).body.content.rendered).toContain('Welcome');
    expect(commit?.n).toBeGreaterThan(4);
    await site.rebuild();
    expect((await send('anonymous', `GET /pages/${page}`)).body.title.rendered).toBe('Landing');

    site.clock.now += 61_000;
    // The navigation of the site, which began with its first page, is an administrator's.
    expect((await send('administrator', 'POST /history/undo', { commits: [last?.position] })).status).toBe(200);
    expect((await send('editor', `GET /posts/${post}`)).body.title.rendered).toBe('Old');
    expect((await send('editor', `GET /pages/${page}`)).status).toBe(404);
  });

  it('is decided again: what others have changed, or what would be refused, is named, and nothing is published', async () => {
    const post = await site.make('editor', '/posts', { title: 'Mine', content: 'First', status: 'publish' });
    const gone = await site.make('editor', '/posts', { title: 'Gone', status: 'publish' });
    const release = await begin();
    await held(release, `PATCH /posts/${post}`, { title: 'Ours' });
    await send('administrator', `PATCH /posts/${post}`, { title: 'Theirs' });
    const shown = (await send('editor', `GET /releases/${release}`)).body;
    expect(shown.conflicts).toEqual([
      { request: 1, stream: `entry-${post}`, field: 'title', now: { title: 'Theirs' }, asked: 'Ours' },
    ]);
    const other = await begin();
    await held(other, `PATCH /posts/${post}`, { title: 'Others' });
    expect((await send('editor', `GET /releases/${other}`)).body.shared).toEqual([
      { release, stream: `entry-${post}`, field: 'title' },
    ]);
    await send('editor', `DELETE /releases/${other}`);
    const refused = await send('editor', `POST /releases/${release}/publish`);
    expect([refused.status, refused.body.code]).toEqual([409, 'rest_release_conflicts']);
    expect((await send('editor', `DELETE /releases/${release}/requests/1`)).status).toBe(200);
    await held(release, `PATCH /posts/${post}`, { title: 'Ours again' });
    await held(release, `PATCH /posts/${gone}`, { content: 'More' });
    await send('administrator', `DELETE /posts/${gone}?force=true`);
    expect((await send('editor', `POST /releases/${release}/publish`)).status).toBe(409);
    await send('editor', `DELETE /releases/${release}/requests/3`);
    expect((await send('editor', `POST /releases/${release}/publish?dry_run=true`)).body.status).toBe('open');
    expect((await send('editor', `POST /releases/${release}/publish`)).body.status).toBe('published');
    expect((await send('editor', `GET /posts/${post}`)).body.title.rendered).toBe('Ours again');
  });

  it('refuses what cannot wait, and those who may not', async () => {
    const release = await begin();
    const cases: [As, string, unknown, number, string][] = [
      ['editor', `POST /categories?release=${release}`, { name: 'X' }, 400, 'rest_release_not_supported'],
      ['editor', 'POST /posts?release=99', { title: 'X' }, 404, 'rest_release_not_found'],
      ['editor', 'POST /posts?release=x', { title: 'X' }, 400, 'rest_invalid_param'],
      ['contributor', `POST /posts?release=${release}`, { title: 'X', status: 'publish' }, 403, 'rest_cannot_publish'],
      ['subscriber', `POST /posts?release=${release}`, { title: 'X' }, 403, 'rest_forbidden'],
      ['author', `POST /releases/${release}/publish`, undefined, 403, 'rest_forbidden'],
      ['editor', `POST /releases/${release}/publish`, undefined, 409, 'rest_release_empty'],
      ['editor', `POST /posts/999?release=${release}`, { title: 'X' }, 404, 'rest_post_invalid_id'],
      ['editor', `POST /releases/${release}`, { publish_at: '2030' }, 400, 'rest_invalid_param'],
      ['editor', `POST /releases/${release}`, { publish_at: 'soon' }, 400, 'rest_invalid_param'],
      ['editor', `POST /releases/${release}`, { publish_at: '2020-01-01' }, 400, 'rest_invalid_param'],
    ];
    for (const [as, request, body, status, code] of cases) {
      const answer = await send(as, request, body);
      expect([request, answer.status, answer.body.code]).toEqual([request, status, code]);
    }
    expect((await send('editor', `DELETE /releases/${release}`)).body.status).toBe('dropped');
    expect((await held(release, 'POST /posts', { title: 'X' })).body.code).toBe('rest_release_closed');
  });

  it('is never left out of account: what names it waits in it, or is refused', async () => {
    const post = await site.make('editor', '/posts', { title: 'Live', status: 'publish' });
    const release = await begin();
    expect((await send('editor', `PATCH /posts/${post}`, { title: 'Waits', release })).status).toBe(200);
    const batch = await send('editor', 'POST /cms-json/batch/v1', {
      requests: [{ method: 'PATCH', path: `/cms/v2/posts/${post}?release=${release}`, body: { title: 'Batch' } }],
    });
    expect(batch.body.responses).toMatchObject([{ status: 400, body: { code: 'rest_release_not_supported' } }]);
    for (const named of ['release=', 'release[]=1', 'release[a]=1'])
      expect((await send('editor', `PATCH /posts/${post}?${named}`, { title: 'X' })).body.code).toBe(
        'rest_invalid_param',
      );
    const upload = await send('editor', `POST /media?release=${release}`, { title: 'X' });
    expect(upload.body.code).toBe('rest_release_not_supported');
    expect((await send('editor', `GET /posts/${post}`)).body.title.rendered).toBe('Live');
    expect((await send('editor', `GET /posts/${post}?release=${release}`)).body.title.rendered).toBe('Waits');
    expect((await send('editor', 'GET /media')).body).toEqual([]);
  });

  it('holds back what cannot be part of a batch, too: settings, templates, styles, media', async () => {
    const template = (await send('administrator', 'GET /templates')).body[0].id;
    const [styles] = (await send('administrator', 'GET /themes?status=active')).body.map(
      (theme: { _links: Record<string, { href: string }[]> }) =>
        Number(theme._links['cms:user-global-styles']?.[0]?.href.split('/').at(-1)),
    );
    const release = await begin();
    const writes: [string, unknown][] = [
      ['POST /settings', { title: 'A new name' }],
      [`POST /templates/${template}`, { content: '<p>Held</p>' }],
      [`POST /global-styles/${styles}`, { styles: { color: { text: '#112233' } } }],
    ];
    for (const [request, body] of writes)
      expect([request, (await held(release, request, body, 'administrator')).status]).toEqual([request, 200]);
    const title = async () => (await send('administrator', 'GET /settings')).body.title;
    expect(await title()).not.toBe('A new name');
    expect((await held(release, 'GET /settings', undefined, 'administrator')).body.title).toBe('A new name');
    expect((await send('administrator', `POST /releases/${release}/publish`)).status).toBe(200);
    expect(await title()).toBe('A new name');
    const shown = await send('administrator', `GET /templates/${template}?context=edit`);
    expect(shown.body.content.raw).toBe('<p>Held</p>');
    const { body } = await send('administrator', `GET /global-styles/${styles}?context=edit`);
    expect(body.styles).toEqual({ color: { text: '#112233' } });
  });

  it('keeps the retries and the conditions of its writes, and gives no version that a write could name', async () => {
    const release = await begin();
    const page = (key: string) =>
      site.call('editor', `POST /pages?release=${release}`, { title: 'Once' }, { headers: { 'idempotency-key': key } });
    const [first, again] = [await page('one'), await page('one')];
    expect(again.body.id).toBe(first.body.id);
    expect((await send('editor', `GET /releases/${release}`)).body.requests).toHaveLength(1);
    const post = await site.make('editor', '/posts', { title: 'Condition' });
    const stale = await site.call(
      'editor',
      `PATCH /posts/${post}?release=${release}`,
      { title: 'X' },
      {
        headers: { 'if-match': '"1.0"' },
      },
    );
    expect(stale.status).toBe(412);
    const { headers } = await held(release, `GET /posts/${post}`);
    expect(headers.get('cache-control')).toBe('private, no-store');
    const seen = { headers: { 'if-match': String(headers.get('etag')) } };
    expect((await site.call('editor', `PATCH /posts/${post}`, { title: 'X' }, seen)).status).toBe(412);
    expect((await site.call('editor', `PATCH /posts/${post}?release=${release}`, { title: 'X' }, seen)).status).toBe(
      200,
    );
  });

  it('knows what others changed although the request that first changed it was taken out', async () => {
    const post = await site.make('editor', '/posts', { title: 'Old', status: 'publish' });
    const release = await begin();
    for (const title of ['First', 'Second']) await held(release, `PATCH /posts/${post}`, { title });
    await send('editor', `DELETE /releases/${release}/requests/1`);
    await send('administrator', `PATCH /posts/${post}`, { title: 'Theirs' });
    expect((await send('editor', `POST /releases/${release}/publish`)).body.code).toBe('rest_release_conflicts');
  });

  it('is carried out once, whoever publishes it at the same time', async () => {
    const release = await begin();
    const { body } = await held(release, 'POST /posts', { title: 'Only once', status: 'publish' });
    const publish = () => send('editor', `POST /releases/${release}/publish`);
    const answers = await Promise.all([
      publish(),
      publish(),
      publish(),
      held(release, 'POST /posts', { title: 'Late' }),
    ]);
    expect(answers.slice(0, 3).filter(({ status }) => status === 200)).toHaveLength(1);
    const found = (await send('anonymous', 'GET /posts?search=only+once&_fields=id')).body;
    expect(found).toEqual([{ id: body.id }]);
  });

  it('is not shown any more when it has ended', async () => {
    const post = await site.make('editor', '/posts', { title: 'Old', status: 'publish' });
    const release = await begin();
    await held(release, `PATCH /posts/${post}`, { title: 'Published' });
    await send('editor', `POST /releases/${release}/publish`);
    expect((await held(release, `GET /posts/${post}`)).body.code).toBe('rest_release_closed');
  });

  it('is erased with what it made', async () => {
    const release = await begin();
    const { body } = await held(release, 'POST /posts', { title: 'Personal', status: 'publish' });
    await send('editor', `POST /releases/${release}/publish`);
    await site.node.store.submit({ viewer: null, correlationId: 'erasure' }, (session) =>
      eraseEntry(session, body.id, someOrder),
    );
    await site.node.store.erasing.finish();
    expect(JSON.stringify((await send('editor', `GET /releases/${release}`)).body)).not.toContain('Personal');
  });

  it('is approved by others, of exactly what it contains', async () => {
    const release = await begin();
    await held(release, 'POST /posts', { title: 'To approve', status: 'publish' });
    expect((await send('editor', `POST /releases/${release}/approve`)).body.code).toBe('rest_cannot_approve');
    const { body } = await send('administrator', `POST /releases/${release}/approve`, { meaning: 'responsible' });
    expect(body.approvals).toMatchObject([{ user: 1, meaning: 'responsible', valid: true }]);
    await held(release, 'POST /posts', { title: 'One more' });
    const again = (await send('editor', `GET /releases/${release}`)).body;
    expect(again.approvals).toMatchObject([{ user: 1, valid: false }]);
    expect(again.digest).not.toBe(body.digest);
  });

  it('needs as many approvals as the site asks for', async () => {
    const strict = await startSite({ env: { RELEASE_APPROVALS: '1' } });
    const { body } = await strict.call('editor', 'POST /releases', { name: 'Checked' });
    await strict.call('author', `POST /posts?release=${body.id}`, { title: 'Checked', status: 'publish' });
    const refused = await strict.call('editor', `POST /releases/${body.id}/publish`);
    expect([refused.status, refused.body.code]).toEqual([409, 'rest_release_not_approved']);
    await strict.call('editor', `POST /releases/${body.id}/approve`);
    await strict.call('administrator', 'PATCH /users/2', { roles: ['subscriber'] });
    const without = await strict.call('administrator', `POST /releases/${body.id}/publish`);
    expect(without.body.data).toMatchObject({ needed: 1, approvals: 0 });
    await strict.call('administrator', 'PATCH /users/2', { roles: ['editor'] });
    expect((await strict.call('editor', `POST /releases/${body.id}/publish`)).body.status).toBe('published');
    const [post] = (await strict.call('anonymous', 'GET /posts')).body;
    expect([post.title.rendered, post.author]).toEqual(['Checked', 3]);
    await strict.close();
  });

  it('is published at its time, also after a stop, or waits for somebody if something is in the way', async () => {
    const post = await site.make('editor', '/posts', { title: 'Before', status: 'publish' });
    const [good, bad] = [await begin('In time'), await begin('Too late')];
    await held(good, `PATCH /posts/${post}`, { title: 'In time' });
    const other = await site.make('editor', '/posts', { title: 'Other', status: 'publish' });
    await held(bad, `PATCH /posts/${other}`, { title: 'Too late' });
    const at = new Date(site.clock.now + 120_000).toISOString().slice(0, 19);
    for (const release of [good, bad]) {
      const { body } = await send('editor', `POST /releases/${release}`, { publish_at: `${at}Z` });
      expect(body.publish_at).toBe(`${at}Z`);
    }
    await send('administrator', `PATCH /posts/${other}`, { title: 'Changed meanwhile' });
    await site.restart();
    site.clock.now += 180_000;
    const status = async (release: number) => (await send('editor', `GET /releases/${release}`)).body;
    await expect.poll(async () => (await status(good)).status).toBe('published');
    await expect.poll(async () => (await status(bad)).held_up).toBe('rest_release_conflicts');
    expect((await status(bad)).publish_at).toBeNull();
    expect((await send('anonymous', `GET /posts/${post}`)).body.title.rendered).toBe('In time');
    expect((await send('anonymous', `GET /posts/${other}`)).body.title.rendered).toBe('Changed meanwhile');
  });

  it('keeps the numbers of what it makes, whatever others make meanwhile, and after a rebuild', async () => {
    const release = await begin();
    const { id } = (await held(release, 'POST /posts', { title: 'Kept', status: 'publish' })).body;
    await site.rebuild();
    const other = await site.make('editor', '/posts', { title: 'Other' });
    expect(other).toBeGreaterThan(id);
    await site.restart();
    expect((await send('editor', `POST /releases/${release}/publish`)).status).toBe(200);
    expect((await send('anonymous', `GET /posts/${id}`)).body.title.rendered).toBe('Kept');
    await site.node.store.followed();
    const rows = dump(site.directory);
    await site.rebuild();
    await site.node.store.followed();
    expect(dump(site.directory)).toEqual(rows);
    expect(await site.make('editor', '/posts', { title: 'Next' })).toBeGreaterThan(other);
  });
});
