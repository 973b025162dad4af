import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Durations } from '#ops/metrics/durations.ts';
import { type RunningServer, serve } from '#ops/serve.ts';
import { eventually } from '../../support/patience.ts';

let folder = '';
let server: RunningServer;
let password = '';
const metricsAt = () => `http://127.0.0.1:${server.metricsPort}`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'metrics-'));
  const write = process.stdout.write;
  // The first start prints the password.
  process.stdout.write = (text: string | Uint8Array) => {
    password = /password +(\S.*?) {3}/.exec(String(text))?.[1] ?? password;
    return true;
  };
  server = await serve({ DATA_DIR: folder, PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'silent' });
  process.stdout.write = write;
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The value of a sample, given by its name with its labels. */
async function sample(name: string): Promise<number | null> {
  const text = await (await fetch(`${metricsAt()}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? null : Number(line.slice(name.length + 1));
}

const api = (path: string, init: RequestInit = {}) => fetch(`${server.url}/cms-json/cms/v2${path}`, init);
const create = (title: string) =>
  api('/posts', {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ title, status: 'publish' }),
  });

describe('the metrics', () => {
  it('are in the Prometheus text format, each metric once', async () => {
    const response = await fetch(`${metricsAt()}/metrics`);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
    ]);
    const lines = (await response.text()).split('\n').filter((line) => line !== '');
    expect(lines.filter((line) => !/^(# (HELP|TYPE) \w+ .+|\w+(\{.*\})? -?[\d.e+-]+)$/i.test(line))).toEqual([]);
    const names = lines.flatMap((line) => /^# TYPE (palimpsest_\w+)/.exec(line)?.[1] ?? []);
    expect(names).toEqual([...new Set(names)]);
    expect(names.length).toBeGreaterThan(12);
  });

  it('count requests by route, method and status', async () => {
    const found = (status: number) =>
      `palimpsest_request_duration_seconds_count{route="/cms/v2/posts",method="GET",status="${status}"}`;
    const before = [(await sample(found(200))) ?? 0, (await sample(found(400))) ?? 0];
    await Promise.all([api('/posts'), api('/posts'), api('/posts?per_page=0')]);
    expect([await sample(found(200)), await sample(found(400))]).toEqual([before[0]! + 2, before[1]! + 1]);
    await fetch(`${server.url}/no-such-page`);
    const page = 'palimpsest_request_duration_seconds_count{route="page",method="GET",status="404"}';
    expect(await sample(page)).toBe(1);
  });

  it('distinguish cached reads from rendered ones', async () => {
    const of = (source: string) => sample(`palimpsest_reads_total{source="${source}"}`);
    const [kept, made] = [await of('kept'), await of('made')];
    for (let i = 0; i < 5; i++) await api('/posts?per_page=7');
    expect([await of('kept'), await of('made')]).toEqual([Number(kept) + 3, Number(made) + 2]);
  });

  it('tell how large the caches of answers are', async () => {
    const size = () => sample('palimpsest_cache_bytes{cache="answers"}');
    const before = Number(await size());
    for (let i = 0; i < 2; i++) await api('/posts?per_page=8');
    expect(Number(await size())).toBeGreaterThan(before);
  });

  it('count commits, events and appends', async () => {
    const names = ['palimpsest_commits_total', 'palimpsest_events_total', 'palimpsest_commit_group_size_count'];
    const before = await Promise.all(names.map(sample));
    const position = Number(await sample('palimpsest_log_position'));
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => create(`Post ${i}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    const after = await Promise.all(names.map(sample));
    const [commits = 0, events = 0, appends = 0] = after.map((value, i) => Number(value) - Number(before[i]));
    expect(commits).toBe(10);
    expect(events).toBe(Number(await sample('palimpsest_log_position')) - position);
    expect(appends).toBeGreaterThan(0);
    expect(appends).toBeLessThanOrEqual(10);
    expect(await sample('palimpsest_replica_lag_events')).toBe(0);
  });

  it('label routes by their pattern, and count open feeds', async () => {
    const { status } = await api('/posts/4711');
    const route = `palimpsest_request_duration_seconds_count{route="/cms/v2/posts/{id}",method="GET",status="${status}"}`;
    expect(await sample(route)).toBe(1);
    const stop = new AbortController();
    const feed = await api('/changes', { headers: { accept: 'text/event-stream' }, signal: stop.signal });
    expect([feed.status, await sample('palimpsest_feeds_open')]).toEqual([200, 1]);
    stop.abort();
    await eventually(async () => expect(await sample('palimpsest_feeds_open')).toBe(0));
  });

  it('report disk usage, and the lack of a backup', async () => {
    expect(await sample('palimpsest_log_bytes')).toBeGreaterThan(0);
    expect(await sample('palimpsest_disk_free_bytes')).toBeGreaterThan(0);
    expect(await sample('palimpsest_last_backup_timestamp_seconds')).toBe(0);
    expect(await sample('palimpsest_erasures_pending')).toBe(0);
  });

  it('are served only on their own port', async () => {
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    expect((await fetch(`${metricsAt()}/cms-json/`)).status).toBe(404);
    expect((await fetch(`${metricsAt()}/metrics`, { method: 'POST' })).status).toBe(404);
  });
});

describe('the durations', () => {
  it('are a cumulative histogram of all values', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.double({ min: 0, max: 20_000, noNaN: true })), async (all) => {
        const durations = new Durations();
        for (const ms of all) durations.note('/x', 'GET', 200, ms);
        const { values } = await durations.get();
        for (const { metricName, labels, value } of values) {
          const le =
            labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels['le'] ?? Number.POSITIVE_INFINITY);
          if (metricName.endsWith('_sum'))
            expect(value).toBeCloseTo(
              all.reduce((sum, ms) => sum + ms / 1000, 0),
              6,
            );
          else expect(value).toBe(all.filter((ms) => ms / 1000 <= le).length);
        }
        expect(values).toHaveLength(all.length === 0 ? 0 : 17);
      }),
    );
  });

  it('have no labels that clients can invent', async () => {
    const durations = new Durations();
    for (const method of ['GET', 'MKCOL', 'PURGE', 'LOCK']) durations.note('none', method, 404, 1);
    const { values } = await durations.get();
    expect(new Set(values.map(({ labels }) => labels['method']))).toEqual(new Set(['GET', 'other']));
  });
});
