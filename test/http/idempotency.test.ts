import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dump } from '../support/node.ts';
import { type As, type Site, startSite } from '../support/site.ts';

const DAY = 24 * 60 * 60 * 1000;

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

let keys = 0;
const newKey = () => `key-${keys++}`;
const send = (as: As, key: string, request: string, body?: unknown, headers: Record<string, string> = {}) =>
  site.call(as, request, body, { headers: { 'idempotency-key': key, ...headers } });

/** The answer without the headers that differ in a replay. */
function answerOf({ status, headers, text }: Awaited<ReturnType<typeof send>>) {
  const kept = [...headers].filter(
    ([name]) => !['date', 'idempotent-replayed', 'connection', 'keep-alive', 'x-correlation-id'].includes(name),
  );
  return { status, headers: Object.fromEntries(kept), text };
}

describe('a repeated write with an Idempotency-Key', () => {
  it('receives the first answer, byte for byte with its position, and appends nothing', async () => {
    const key = newKey();
    const body = { title: 'Über “once”', content: 'Text', status: 'publish' };
    const first = await send('author', key, 'POST /posts', body);
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null]);
    await site.call('editor', `PUT /posts/${first.body.id}`, { title: 'Changed meanwhile' });
    const before = site.position();
    const again = await send('author', key, 'POST /posts', body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(answerOf(again)).toEqual(answerOf(first));
    expect(site.position()).toBe(before);
  });

  it('receives the lists of that time, however much has changed since', async () => {
    const key = newKey();
    const body = { content: '<!-- wp:latest-posts {"postsToShow":3} /-->', title: 'Lists others', status: 'publish' };
    await site.make('editor', '/posts', { title: 'Listed then', status: 'publish' });
    const first = await send('author', key, 'POST /posts', body);
    expect(first.body.content.rendered).toContain('Listed then');
    for (let batch = 0; batch < 6; batch++) {
      const title = { title: `Later ${batch}`, status: 'publish' };
      const requests = Array.from({ length: 25 }, () => ({ path: '/cms/v2/posts', body: title }));
      expect((await site.call('editor', 'POST /cms-json/batch/v1', { requests })).status).toBe(207);
    }
    const again = await send('author', key, 'POST /posts', body);
    expect(answerOf(again)).toEqual(answerOf(first));
  });

  it.each([
    ['a change', 'PUT /posts/{id}', { title: 'Changed' }],
    ['a move to the trash', 'DELETE /posts/{id}', undefined],
    ['a deletion', 'DELETE /posts/{id}?force=true', undefined],
    ['a change by another method', 'POST /posts/{id}?_method=PATCH', { title: 'Changed' }],
    ['a change in an envelope', 'PUT /posts/{id}?_envelope=1', { title: 'Changed' }],
    ['a change with few fields', 'PUT /posts/{id}?_fields=id,title', { title: 'Changed' }],
    ['a change with embedded records', 'PUT /posts/{id}?_embed=author', { title: 'Changed' }],
  ])('receives the same answer after %s', async (_, request, body) => {
    const id = await site.make('editor', '/posts', { title: 'To change', status: 'publish' });
    const key = newKey();
    const first = await send('editor', key, request.replace('{id}', String(id)), body);
    expect(first.status).toBe(200);
    const before = site.position();
    const again = await send('editor', key, request.replace('{id}', String(id)), body);
    expect(again.headers.get('idempotent-replayed') ?? again.body.headers['Idempotent-Replayed']).toBe('true');
    delete again.body.headers?.['Idempotent-Replayed'];
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(site.position()).toBe(before);
  });

  it('is not executed again even if it changed nothing, although others wrote since', async () => {
    const id = await site.make('editor', '/categories', { name: 'Same' });
    const key = newKey();
    const before = site.position();
    const first = await send('editor', key, `PUT /categories/${id}`, { name: 'Same' });
    expect(site.position()).toBe(before + 1);
    await site.call('editor', `PUT /categories/${id}`, { name: 'Other' });
    expect(answerOf(await send('editor', key, `PUT /categories/${id}`, { name: 'Same' }))).toEqual(answerOf(first));
    expect((await site.call('editor', `GET /categories/${id}`)).body.name).toBe('Other');
  });

  it('waits for the first when both arrive at once', async () => {
    const key = newKey();
    const body = { title: 'At once' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => send('editor', key, 'POST /posts', body)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(4);
    expect((await site.call('editor', 'GET /posts?search=at+once&status=any')).body).toHaveLength(1);
  });

  it('receives the first answer after a restart and after a rebuild of the projections', async () => {
    const key = newKey();
    const body = { title: 'Restart' };
    const first = await send('editor', key, 'POST /posts', body);
    await site.restart();
    expect(answerOf(await send('editor', key, 'POST /posts', body))).toEqual(answerOf(first));
    const { requests } = dump(site.directory);
    await site.rebuild();
    expect(dump(site.directory)['requests']).toEqual(requests);
    const before = site.position();
    expect(answerOf(await send('editor', key, 'POST /posts', body))).toEqual(answerOf(first));
    expect(site.position()).toBe(before);
  });

  it('is executed again after a day', async () => {
    const own = await startSite();
    const post = (key: string) =>
      own.call('editor', 'POST /posts', { title: 'Daily' }, { headers: { 'idempotency-key': key } });
    const first = await post('daily');
    own.clock.now += DAY - 1;
    expect((await post('daily')).body.id).toBe(first.body.id);
    own.clock.now += 1;
    const second = await post('daily');
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect(second.body.id).toBe(first.body.id + 1);
    await own.close();
  });

  it('receives the first answer for a whole day, although the clock of the log jumps by years', async () => {
    const times = { wall: Date.parse('2026-03-01T11:00:00.000Z'), monotonic: 0 };
    const own = await startSite({ clock: () => times.wall, monotonic: () => times.monotonic });
    const post = (key: string) =>
      own.call('editor', 'POST /posts', { title: 'Leap' }, { headers: { 'idempotency-key': key } });
    const first = await post('before');
    times.wall += 10 * 365 * DAY;
    own.node.store.clock.accept();
    expect((await post('after')).status).toBe(201);
    expect((await post('before')).body.id).toBe(first.body.id);
    times.wall += DAY;
    times.monotonic += DAY;
    expect((await post('before')).body.id).toBe(first.body.id + 2);
    await own.close();
  });
});

describe('a key', () => {
  it('identifies one request: any other is refused with 422', async () => {
    const key = newKey();
    const id = (await send('editor', key, 'POST /posts', { title: 'A' })).body.id;
    const before = site.position();
    const others = [
      await send('editor', key, 'POST /posts', { title: 'B' }),
      await send('editor', key, 'POST /pages', { title: 'A' }),
      await send('editor', key, 'POST /posts?status=publish', { title: 'A' }),
      await send('editor', key, `DELETE /posts/${id}`),
    ];
    expect(others.map(({ status, body }) => [status, body.code])).toEqual(
      others.map(() => [422, 'rest_idempotency_key_reused']),
    );
    expect(others[0]?.headers.get('allow')).toBe('GET, POST');
    expect(site.position()).toBe(before);
  });

  it('is scoped to one user', async () => {
    const key = newKey();
    const [mine, yours] = [
      await send('editor', key, 'POST /posts', { title: 'A' }),
      await send('author', key, 'POST /posts', { title: 'A' }),
    ];
    expect([yours.status, yours.headers.get('idempotent-replayed')]).toEqual([201, null]);
    expect(yours.body.id).not.toBe(mine.body.id);
  });

  it('can be reused after a refusal', async () => {
    const key = newKey();
    const before = site.position();
    expect((await send('editor', key, 'POST /posts', {})).body.code).toBe('empty_content');
    expect((await send('contributor', key, 'POST /pages', { title: 'x' })).status).toBe(403);
    expect(site.position()).toBe(before);
    expect((await send('editor', key, 'POST /posts', { title: 'Now' })).status).toBe(201);
  });

  it('is ignored on reads and anonymous requests', async () => {
    const key = newKey();
    const before = site.position();
    const { headers } = await send('editor', key, 'GET /posts');
    expect([headers.get('idempotent-replayed'), headers.get('etag')]).toEqual([null, expect.any(String)]);
    expect((await send('anonymous', key, 'POST /posts', { title: 'x' })).status).toBe(401);
    expect(site.position()).toBe(before);
  });

  it.each([
    ['longer than 255', 'k'.repeat(256)],
    ['with blanks', 'two words'],
    ['with a tab', 'a\tb'],
    ['with letters that are not ASCII', 'cl\u00e9'],
    ['empty', ''],
  ])('that is %s is refused with 400', async (_, key) => {
    const { status, body } = await send('editor', key, 'POST /posts', { title: 'x' });
    expect([status, body.code]).toEqual([400, 'rest_invalid_idempotency_key']);
  });

  it('may have up to 255 characters', async () => {
    expect((await send('editor', '~'.repeat(255), 'POST /posts', { title: 'x' })).status).toBe(201);
  });
});

describe('a batch with a key', () => {
  const path = '/cms/v2/posts';
  const batch = (key: string, requests: unknown, more: object = {}) =>
    send('editor', key, 'POST /cms-json/batch/v1', { requests, ...more });

  it('is executed once, in one commit together with its answer', async () => {
    const key = newKey();
    const before = site.position();
    const requests = [
      { path, body: { title: 'A' } },
      { path, body: {} },
      { path, body: { title: 'B' } },
    ];
    const first = await batch(key, requests);
    const events = [...site.node.log.read({ from: before + 1 })];
    expect(events.map(({ type }) => type)).toEqual(['EntryCreated', 'EntryCreated', 'RequestAnswered']);
    expect(new Set(events.map((event) => event.commit.id)).size).toBe(1);
    expect(answerOf(await batch(key, requests))).toEqual(answerOf(first));
    expect(site.position()).toBe(before + 3);
  });

  it('has its parameters checked', async () => {
    const before = site.position();
    for (const more of [{ status: 'bad' }, { author: {} }, { sticky: 'perhaps' }]) {
      const { status, body } = await send('editor', newKey(), 'POST /posts', { title: 'x', ...more });
      expect([status, body.code]).toEqual([400, 'rest_invalid_param']);
    }
    expect(site.position()).toBe(before);
  });

  it('is refused where the answer has a secret, which is never kept', async () => {
    const before = site.position();
    const path = 'POST /users/me/application-passwords';
    const { status, body } = await send('editor', newKey(), path, { name: 'Phone' });
    expect([status, body.code]).toEqual([400, 'rest_idempotency_key_not_supported']);
    expect(site.position()).toBe(before);
    expect((await site.call('editor', path, { name: 'Phone' })).status).toBe(201);
  });

  it('that did nothing leaves nothing, and the key can be reused', async () => {
    const key = newKey();
    const before = site.position();
    const requests = [
      { path, body: { title: 'A' } },
      { path, body: {} },
    ];
    expect((await batch(key, requests, { validation: 'require-all-validate' })).body.failed).toBe('validation');
    expect((await batch(key, [{ path, body: {} }])).status).toBe(207);
    expect((await batch(key, [])).status).toBe(207);
    expect(site.position()).toBe(before);
    expect((await batch(key, [{ path, body: { title: 'A' } }])).body.responses[0].status).toBe(201);
  });

  it('can contain requests with keys of their own', async () => {
    const key = newKey();
    const headers = { 'Idempotency-Key': key };
    const request = { path, headers, body: { title: 'Own key' } };
    const { body } = await batch(newKey(), [request, request, { ...request, body: { title: 'Another' } }]);
    const [first, again, other] = body.responses;
    expect(again).toEqual({ ...first, headers: { ...first.headers, 'Idempotent-Replayed': 'true' } });
    expect([first.status, other.status]).toEqual([201, 422]);
    // Already executed, so its parameters are not validated again.
    const gone = {
      method: 'DELETE',
      path: `${path}/${first.body.id}?force=true`,
      headers: { 'Idempotency-Key': newKey() },
    };
    await batch(newKey(), [gone]);
    const later = await batch(newKey(), [gone, { path, body: { title: 'New' } }], {
      validation: 'require-all-validate',
    });
    expect(later.body.responses.map(({ status }: { status: number }) => status)).toEqual([200, 201]);
  });
});
