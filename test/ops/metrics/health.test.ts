import { describe, expect, it } from 'vitest';
import { buildApp } from '#http/app/app.ts';
import { hostOf } from '#http/app/host.ts';
import { Readiness, type Reason } from '#node/readiness.ts';
import { healthOf, type LogReach } from '#ops/metrics/health.ts';
import { openTestNode } from '../../support/node.ts';

type Replica = NonNullable<LogReach['replica']>;
const place = { position: 100, ledgerHead: 100, resubscriptions: 0 };
const inStep: Replica = { connected: true, differs: false, refusal: null, ageMs: 0, ...place };

function node(options: { head?: number; shown?: number; replica?: Partial<Replica>; read?: () => Iterable<unknown> }) {
  const { head = 100, shown = head, replica, read = () => [{}] } = options;
  const log = { head: () => ({ position: head }), read };
  const store = { reader: { position: shown } };
  const own = { log, store, readiness: new Readiness() };
  return replica === undefined ? own : { ...own, replica: { ...inStep, ...replica } };
}

describe('a node is ready', () => {
  it('while its log can be read and reads are up to date', () => {
    expect(healthOf(node({})).reasons()).toEqual([]);
    expect(healthOf(node({ head: 0 })).reasons()).toEqual([]);
    expect(healthOf(node({ replica: {} })).reasons()).toEqual([]);
    expect(healthOf(node({ replica: { ledgerHead: 200, ageMs: 500 } })).reasons()).toEqual([]);
  });

  it.each([
    [
      'its log cannot be read',
      {
        read: () => {
          throw new Error('disk I/O error');
        },
      },
      'log_unreadable',
      'cannot be read: disk I/O error',
    ],
    ['its log has lost its end', { read: () => [] }, 'log_unreadable', 'has not what its head names'],
    ['reads are far behind', { head: 50_000, shown: 10 }, 'reads_behind', '49990 events behind'],
    ['the event store is far ahead', { replica: { ledgerHead: 60_000 } }, 'reads_behind', '59900 events behind'],
    [
      'the event store has another log',
      { replica: { connected: false, differs: true } },
      'event_store_differs',
      'another log',
    ],
    [
      'the event store is out of reach',
      { replica: { connected: false } },
      'event_store_unreachable',
      'cannot be reached',
    ],
    ['its copy has not been in step for long', { replica: { ageMs: 11_000 } }, 'copy_stale', '11 s old'],
  ])('except when %s', (_, options, code, message) => {
    expect(healthOf(node(options)).reasons()).toEqual([{ code, message: expect.stringContaining(message) }]);
  });

  it('except while a component gives a reason, with the message of that component', () => {
    const { readiness, ...rest } = node({});
    const reasons = () => healthOf({ readiness, ...rest }).reasons();
    readiness.hold('starting');
    readiness.hold('store_unwritable', 'database or disk is full');
    expect(reasons()).toEqual([
      { code: 'starting', message: expect.any(String) },
      { code: 'store_unwritable', message: 'database or disk is full' },
    ]);
    readiness.release('starting');
    readiness.release('store_unwritable');
    expect(reasons()).toEqual([]);
  });
});

describe('the health endpoints', () => {
  it('tell that the process is alive and whether it is ready, and are not cacheable', async () => {
    const { node: real } = await openTestNode();
    const reasons: Reason[] = [];
    const health = { ...healthOf(real), reasons: () => reasons };
    const app = buildApp({ host: hostOf(real.store), routes: [], health });
    const ask = async (path: string) => {
      const { statusCode, headers, body } = await app.inject(path);
      return { statusCode, kept: headers['cache-control'], body: JSON.parse(body) };
    };
    const live = { statusCode: 200, kept: 'no-store', body: { status: 'live' } };
    const { position } = real.store.reader;
    expect(await ask('/health/live')).toEqual(live);
    expect(await ask('/health/ready')).toEqual({ ...live, body: { status: 'ready', position } });
    reasons.push({ code: 'log_unreadable', message: 'the log cannot be read' });
    expect(await ask('/health/live')).toEqual(live);
    expect(await ask('/health/ready')).toEqual({
      ...live,
      statusCode: 503,
      body: { status: 'not ready', position, reasons },
    });
    await app.close();
    await real.close();
  });
});
