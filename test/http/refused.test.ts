import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { EventStore } from '#eventstore/port.ts';
import { openServingStore } from '#eventstore/sqlite/store.ts';
import { openMemoryStore } from '../support/memory/store.ts';
import { type As, type Site, type SiteOptions, startSite } from '../support/site.ts';
import { quick, standInForTest } from '../support/wire-store.ts';

/** Counts the commits of each append. */
function counted(log: EventStore, appends: number[]): EventStore {
  return {
    ...log,
    append(commits, position) {
      appends.push(commits.length);
      return log.append(commits, position);
    },
  };
}

interface Counted {
  readonly site: Site;
  /** Number of commits per append. */
  readonly appends: number[];
}

const engines: Readonly<Record<string, () => Promise<Counted>>> = {
  memory: () => withLog(() => openMemoryStore()),
  sqlite: () => withLog((path) => openServingStore({ path })),
  async eventstoredb() {
    const standIn = await standInForTest();
    const site = await startSite({ env: { EVENTSTORE_URL: standIn.url }, timings: quick });
    onTestFinished(() => site.close());
    return { site, appends: watchAppends(site) };
  },
};

async function withLog(open: (path: string) => EventStore): Promise<Counted> {
  const appends: number[] = [];
  const site = await startSite({ openLog: (path) => counted(open(path), appends) });
  onTestFinished(() => site.close());
  return { site, appends };
}

function watchAppends(site: Site): number[] {
  const appends: number[] = [];
  const { log } = site.node;
  const append = log.append.bind(log);
  vi.spyOn(log, 'append').mockImplementation((commits, position) => {
    appends.push(commits.length);
    return append(commits, position);
  });
  return appends;
}

const refused: readonly (readonly [As, string, unknown, number, string])[] = [
  ['anonymous', 'POST /posts', { title: 'No' }, 401, 'rest_cannot_create'],
  ['anonymous', 'PATCH /posts/1', { title: 'No' }, 401, 'rest_cannot_edit'],
  ['anonymous', 'PATCH /posts/99', { title: 'No' }, 404, 'rest_post_invalid_id'],
  ['anonymous', 'DELETE /categories/1?force=true', undefined, 401, 'rest_cannot_delete'],
  ['anonymous', 'POST /posts', '{', 400, 'rest_invalid_json'],
  ['administrator', 'POST /posts', { title: 'No', status: 'nowhere' }, 400, 'rest_invalid_param'],
  ['administrator', 'POST /categories', {}, 400, 'rest_missing_callback_param'],
  ['subscriber', 'POST /posts', { title: 'No' }, 403, 'rest_cannot_create'],
];

describe.each(Object.entries(engines))('a refused write, with the log in %s', (_, open) => {
  it('uses neither a session nor the log', async () => {
    const { site, appends } = await open();
    const id = await site.make('administrator', '/posts', { title: 'One', status: 'publish' });
    expect(id).toBe(1);
    const submit = vi.spyOn(site.node.store, 'submit');
    appends.length = 0;
    for (const [as, request, body, status, code] of refused) {
      const answer = await site.call(as, request, body, { headers: { 'content-type': 'application/json' } });
      expect([request, answer.status, answer.body.code]).toEqual([request, status, code]);
    }
    expect(appends).toEqual([]);
    expect(submit).not.toHaveBeenCalled();
  });

  it('appends nothing in a batch of refused requests', async () => {
    const { site, appends } = await open();
    appends.length = 0;
    const requests = [
      { path: '/cms/v2/posts', body: { title: 'No' } },
      { path: '/cms/v2/posts/9', method: 'PATCH', body: { title: 'No' } },
      { path: '/cms/v2/posts', body: { status: 'nowhere' } },
      { path: '/cms/v2/nothing' },
    ];
    const each = await site.call('anonymous', 'POST /cms-json/batch/v1', { requests });
    expect(each.body.responses.map(({ status }: { status: number }) => status)).toEqual([401, 404, 400, 404]);
    const all = await site.call('anonymous', 'POST /cms-json/batch/v1', {
      requests,
      validation: 'require-all-validate',
    });
    expect(all.body.failed).toBe('validation');
    expect(all.body.responses.map((one: { status: number } | null) => one?.status ?? null)).toEqual([
      null,
      null,
      400,
      404,
    ]);
    const rights = requests.slice(0, 2);
    const denied = { requests: rights, validation: 'require-all-validate' };
    const none = await site.call('anonymous', 'POST /cms-json/batch/v1', denied);
    expect(none.body.responses.map(({ status }: { status: number }) => status)).toEqual([401, 404]);
    expect(appends.reduce((sum, commits) => sum + commits, 0)).toBe(0);
  });

  it('appends nothing when a session refuses it', async () => {
    const { site, appends } = await open();
    const id = await site.make('editor', '/posts', { title: 'One', status: 'publish' });
    appends.length = 0;
    const stale = { headers: { 'if-match': '"1-0"' } };
    const answers = [
      await site.call('contributor', `PATCH /posts/${id}`, { title: 'No' }),
      await site.call('editor', `PATCH /posts/${id}`, { title: 'No' }, stale),
      await site.call('editor', 'PATCH /posts/99', { title: 'No' }),
      await site.call('editor', 'PATCH /posts/99', { status: 'nowhere' }),
      await site.call('editor', 'POST /posts', { title: '', content: '' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 412, 404, 400, 400]);
    expect(appends.reduce((sum, commits) => sum + commits, 0)).toBe(0);
  });
});

describe('a write', () => {
  const open = async (options: SiteOptions = {}) => {
    const site = await startSite(options);
    onTestFinished(() => site.close());
    return site;
  };
  afterEach(() => vi.restoreAllMocks());

  it('is decided on the result of all writes before it, even concurrent ones', async () => {
    const site = await open();
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, (_, i) => site.call('editor', 'POST /posts', { title: `Post ${i}` })),
      site.call('author', 'POST /posts', { title: 'Mine', status: 'publish' }),
    ]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const last = answers.at(-1)?.body.id;
    const [updated, deleted, again] = await Promise.all([
      site.call('author', `PATCH /posts/${last}`, { title: 'Ours' }),
      site.call('author', `DELETE /posts/${last}?force=true`),
      site.call('author', `PATCH /posts/${last}`, { title: 'Gone' }),
    ]);
    expect(deleted.status).toBe(200);
    for (const { status } of [updated, again]) expect([200, 404]).toContain(status);
  });

  it('repeated with its Idempotency-Key receives the first answer, although its item is deleted', async () => {
    const site = await open();
    const id = await site.make('editor', '/posts', { title: 'One' });
    const key = { headers: { 'idempotency-key': 'once' } };
    const first = await site.call('editor', `DELETE /posts/${id}?force=true`, undefined, key);
    const again = await site.call('editor', `DELETE /posts/${id}?force=true`, undefined, key);
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('is refused with 503 while too many are queued', async () => {
    const site = await open({ env: { WRITE_QUEUE: '3' } });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => site.call('editor', 'POST /posts', { title: `Post ${i}` })),
    );
    const taken = answers.filter(({ status }) => status === 201);
    const others = answers.filter(({ status }) => status !== 201);
    expect(taken.length).toBeGreaterThanOrEqual(3);
    expect(others.length).toBeGreaterThan(0);
    for (const { status, body, headers } of others) {
      expect([status, body.code]).toEqual([503, 'rest_too_many_writes']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(site.node.store.writes.turnedAway()).toBe(others.length);
    const { body } = await site.call('editor', 'GET /posts?status=draft&per_page=100');
    expect(body).toHaveLength(taken.length);
    expect((await site.call('editor', 'POST /posts', { title: 'Later' })).status).toBe(201);
  });
});
