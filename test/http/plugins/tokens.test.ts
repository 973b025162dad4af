import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callPlugin } from '../../support/plugins.ts';
import type { As } from '../../support/site.ts';
import { listen } from '../../support/sse.ts';
import { startTokenSite } from '../../support/tokens.ts';

const { site, toggle, make, close } = await startTokenSite();
beforeAll(() => toggle('setup'));
afterAll(close);

const withdraw = (as: As, id: string) => callPlugin(site, as, `DELETE /host-ai-assistant/v1/tokens/${id}`);
const list = async (as: As) => (await callPlugin(site, as, 'GET /host-ai-assistant/v1/tokens')).body;
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
const by = (token: string, request: string, body?: unknown) => site.call('anonymous', request, body, bearer(token));
/** Whether a token authenticates its user, here by listing drafts in context edit. */
const works = async (token: string) => (await by(token, 'GET /posts?status=draft&context=edit')).status === 200;

describe('the assistant token', () => {
  const fromSite = async () =>
    (await callPlugin(site, 'administrator', 'GET /host-ai-assistant/v1/website')).body.data.token;

  it('is reused for some time, and authenticates its administrator', async () => {
    const position = site.position();
    const token = await fromSite();
    expect(await fromSite()).toBe(token);
    expect(site.position()).toBe(position + 1);
    expect(await works(token)).toBe(true);
    expect(await list('administrator')).toEqual([
      expect.objectContaining({ name: 'Assistant', user: 1, publish: false }),
    ]);
    site.clock.now += 11 * 60_000;
    const next = await fromSite();
    expect(next).not.toBe(token);
    expect([await works(token), await works(next)]).toEqual([true, true]);
  });

  it('is refused and no longer listed after 15 minutes', async () => {
    const token = await fromSite();
    site.clock.now += 15 * 60_000;
    expect(await works(token)).toBe(false);
    expect((await by(token, 'GET /posts')).headers.get('x-cms-auth')).toBe('failed');
    expect(await list('administrator')).toEqual([]);
  });

  it('is stored in the log as a digest only', async () => {
    const token = await fromSite();
    expect(JSON.stringify([...site.node.log.read({})])).not.toContain(token.split('.')[2]);
  });
});

describe('a token', () => {
  it('is shown once, listed for its user and administrators, and revoked by them', async () => {
    const { token, ...shown } = await make('editor', { name: 'Desktop', days: 7 });
    expect(shown).toMatchObject({ user: 2, name: 'Desktop', publish: false, last_used: null });
    expect(await works(token)).toBe(true);
    expect((await list('editor')).map(({ id }: { id: string }) => id)).toEqual([shown.id]);
    expect(await list('author')).toEqual([]);
    expect((await list('editor'))[0].last_used).not.toBeNull();
    expect((await withdraw('author', shown.id)).body.code).toBe('token_not_found');
    expect((await withdraw('administrator', shown.id)).body.previous.id).toBe(shown.id);
    expect(await works(token)).toBe(false);
  });

  it('is listed and revoked among the application passwords of its user', async () => {
    const { token, id } = await make('editor');
    const { body } = await site.call('editor', 'GET /users/me/application-passwords');
    expect(body.map(({ uuid }: { uuid: string }) => uuid)).toContain(id);
    await site.call('administrator', `DELETE /users/2/application-passwords/${id}`);
    expect(await works(token)).toBe(false);
  });

  it('is refused at once after it is revoked, also by cached answers and open feeds', async () => {
    const { token, id } = await make('editor');
    const asked = () => by(token, 'GET /posts?context=edit&per_page=3');
    for (let i = 0; i < 3; i += 1) expect((await asked()).status).toBe(200);
    const feed = await listen({ port: site.port, headers: { authorization: `Bearer ${token}` } });
    await feed.until(() => feed.lastId !== '');
    await withdraw('editor', id);
    await feed.end();
    expect((await asked()).status).toBe(401);
  });

  it('is refused as a password and on audit pages', async () => {
    const { token } = await make('administrator');
    const basic = `Basic ${Buffer.from(`administrator:${token}`).toString('base64')}`;
    const { status } = await site.call('anonymous', 'GET /users/me', undefined, { headers: { authorization: basic } });
    expect(status).toBe(401);
    const page = await fetch(`http://127.0.0.1:${site.port}/cms-audit/`, { ...bearer(token), redirect: 'manual' });
    expect(page.status).toBe(401);
  });

  it.each([
    'GET /users/me',
    'GET /settings',
    'POST /settings',
    'GET /users/1/application-passwords',
    'POST /users/1/application-passwords',
    'POST /categories',
    'POST /media',
    'POST /cms-json/batch/v1',
    'GET /cms-json/host-ai-assistant/v1/website',
    'POST /cms-json/host-ai-assistant/v1/tokens',
    'POST /cms-json/host-ai-assistant/v1/toggle-mcp-plugin',
  ])('gives no access to %s', async (request) => {
    const { token } = await make('administrator', { name: 'x', publish: true });
    const body = request.startsWith('POST') ? { name: 'x', action: 'setup', requests: [] } : undefined;
    const answer = await by(token, request, body);
    expect([answer.status, answer.body.code]).toEqual([403, 'rest_forbidden_token']);
    await withdraw('administrator', (await list('administrator')).find((one: { name: string }) => one.name === 'x').id);
  });

  it('gives no access to uploads in pieces', async () => {
    const { token } = await make('administrator', { name: 'x', publish: true });
    const tus = { 'tus-resumable': '1.0.0', 'upload-length': '4', 'upload-metadata': 'filename YS50eHQ=' };
    const headers = { ...bearer(token).headers, ...tus };
    const answer = await site.call('anonymous', 'POST /media/resumable', undefined, { headers });
    expect([answer.status, answer.body.code]).toEqual([403, 'rest_forbidden_token']);
    await withdraw('administrator', (await list('administrator')).find((one: { name: string }) => one.name === 'x').id);
  });

  it('writes drafts and reads posts, but neither publishes nor deletes', async () => {
    const { token } = await make('administrator');
    const draft = (await by(token, 'POST /posts', { title: 'Draft', content: '<script>x</script>y' })).body;
    expect([draft.status, draft.content.raw]).toEqual(['draft', 'xy']);
    expect((await by(token, `POST /posts/${draft.id}`, { title: 'Again' })).body.title.raw).toBe('Again');
    const others = await site.make('author', '/posts', { title: 'Public', status: 'publish' });
    const codes = async (request: string, body?: unknown) => (await by(token, request, body)).body.code;
    expect(await codes(`POST /posts/${draft.id}`, { status: 'publish' })).toBe('rest_cannot_publish');
    expect(await codes('POST /pages', { title: 'x', status: 'publish' })).toBe('rest_cannot_publish');
    for (const status of ['future', 'private', 'trash']) {
      const sent = { status, date: '2099-01-01T00:00:00' };
      expect((await by(token, `POST /posts/${draft.id}`, sent)).status).toBeGreaterThanOrEqual(400);
      expect((await by(token, `GET /posts/${draft.id}?context=edit`)).body.status).toBe('draft');
    }
    expect((await by(token, `POST /posts/${draft.id}`, { status: 'pending' })).body.status).toBe('pending');
    expect(await codes(`POST /posts/${others}`, { title: 'x' })).toBe('rest_cannot_edit');
    expect(await codes(`DELETE /posts/${draft.id}`)).toBe('rest_forbidden_token');
    const headers = { ...bearer(token).headers, 'x-http-method-override': 'DELETE' };
    expect((await site.call('anonymous', `GET /posts/${draft.id}`, undefined, { headers })).status).toBe(403);
    const override = { ...bearer(token).headers, 'x-http-method-override': 'POST' };
    const hidden = await site.call('anonymous', `GET /posts/${others}?title=x`, undefined, { headers: override });
    expect(hidden.body.code).toBe('rest_cannot_edit');
    expect((await by(token, `GET /posts/${others}/revisions`)).status).toBe(200);
    expect((await by(token, `GET /posts/${others}?context=edit`)).body.title.raw).toBe('Public');
  });

  it('sees of the changes of the site those of posts and pages alone', async () => {
    await site.make('administrator', '/categories', { name: 'Not for programs' });
    const page = await site.make('administrator', '/pages', { title: 'For programs', status: 'publish' });
    const { token } = await make('administrator');
    const { body } = await by(token, 'GET /changes?since=0');
    const resources = (body.commits as { changes: { resource: string; id: number }[] }[]).flatMap(
      ({ changes }) => changes,
    );
    expect(resources).toContainEqual(expect.objectContaining({ resource: 'pages', id: page }));
    expect(resources.filter(({ resource }) => !['posts', 'pages'].includes(resource))).toEqual([]);
  });

  it('changes no private post of its user, unless it may publish', async () => {
    const id = await site.make('administrator', '/posts', { title: 'Private', status: 'private' });
    const { token } = await make('administrator');
    for (const sent of [{ title: 'x' }, { status: 'draft' }]) {
      expect((await by(token, `POST /posts/${id}`, sent)).body.code).toBe('rest_cannot_edit');
    }
    const read = (await by(token, `GET /posts/${id}?context=edit`)).body;
    expect([read.title.raw, read.status]).toEqual(['Private', 'private']);
    const { token: publishing } = await make('administrator', { name: 'publishing', publish: true });
    expect((await by(publishing, `POST /posts/${id}`, { title: 'y' })).status).toBe(200);
  });

  it('restricts the methods and actions offered in records', async () => {
    const others = await site.make('author', '/posts', { title: 'Offered', status: 'publish' });
    const draft = await site.make('administrator', '/posts', { title: 'Offered later' });
    const offered = async (token: string, id: number) => {
      const { _links: links } = (await by(token, `GET /posts/${id}?context=edit`)).body;
      return [links.self[0].targetHints.allow, Object.keys(links).filter((name) => name.includes(':action-'))];
    };
    const [drafts, publishes] = [
      await make('administrator'),
      await make('administrator', { name: 'x', publish: true }),
    ];
    const methods = ['GET', 'POST', 'PUT', 'PATCH'];
    expect(await offered(drafts.token, others)).toEqual([['GET'], expect.not.arrayContaining(['cms:action-publish'])]);
    expect(await offered(drafts.token, draft)).toEqual([methods, expect.not.arrayContaining(['cms:action-publish'])]);
    expect(await offered(publishes.token, others)).toEqual([methods, expect.arrayContaining(['cms:action-publish'])]);
    const own = (await site.call('administrator', `GET /posts/${others}?context=edit`)).body._links;
    expect(own.self[0].targetHints.allow).toEqual([...methods, 'DELETE']);
    expect(Object.keys(own)).toContain('cms:action-publish');
  });

  it('may publish if it was created for that, within the rights of its user', async () => {
    const { token } = await make('editor', { name: 'Publisher', publish: true });
    const { body } = await by(token, 'POST /posts', { title: 'Out', status: 'publish' });
    expect(body.status).toBe('publish');
    expect((await by(token, `POST /posts/${body.id}`, { title: 'Better' })).body.title.raw).toBe('Better');
    expect((await by(token, `DELETE /posts/${body.id}`)).status).toBe(403);
    const own = await make('contributor', { name: 'Weak', publish: true });
    expect((await by(own.token, 'POST /posts', { title: 'x', status: 'publish' })).body.code).toBe(
      'rest_cannot_publish',
    );
    const page = await fetch(`http://127.0.0.1:${site.port}/cms-audit/`, {
      headers: { authorization: site.authorization('administrator') },
    });
    expect(await page.text()).toContain(', token Publisher');
  });

  it('is refused in requests from other sites', async () => {
    const { token } = await make('editor');
    const headers = { ...bearer(token).headers, origin: 'http://elsewhere.example' };
    const { body } = await site.call('anonymous', 'POST /posts', { title: 'x' }, { headers });
    expect(body.code).toBe('rest_cross_site_request');
  });

  it('is protected against guessing, without locking out the correct one', async () => {
    const { token } = await make('editor');
    const wrong = `${token.slice(0, -64)}${'0'.repeat(64)}`;
    const statuses = new Set<number>();
    for (let i = 0; i < 25; i += 1) statuses.add((await by(wrong, 'GET /posts')).status);
    expect([...statuses]).toEqual([200, 429]);
    expect(await works(token)).toBe(true);
  });

  it('works only while the assistant is enabled', async () => {
    const { token } = await make('administrator');
    const feed = await listen({ port: site.port, headers: { authorization: `Bearer ${token}` } });
    await feed.until(() => feed.lastId !== '');
    await toggle('deny');
    await feed.end();
    expect(await works(token)).toBe(false);
    expect((await make('administrator')).code).toBe('assistant_not_set_up');
    const { assistant } = (await callPlugin(site, 'editor', 'GET /host-ai-assistant/v1/website')).body.data.metadata;
    expect(assistant).toEqual({ mcp_choice: 0, allow: { create: false, update: false, delete: false } });
    await toggle('setup');
    expect(await works(token)).toBe(true);
  });
});
