import { describe, expect, it } from 'vitest';
import { buildApp } from '#http/app.ts';
import { hostOf } from '#http/host.ts';
import { healthOf, type LogReach } from '#ops/metrics/health.ts';
import { openTestNode } from '../../support/node.ts';

type Replica = NonNullable<LogReach['replica']>;
const inStep: Replica = { connected: true, differs: false, position: 100, ledgerHead: 100, ageMs: 0 };

function node(options: { head?: number; shown?: number; replica?: Partial<Replica>; read?: () => Iterable<unknown> }) {
  const { head = 100, shown = head, replica, read = () => [{}] } = options;
  const log = { head: () => ({ position: head }), read };
  const store = { reader: { position: shown } };
  return replica === undefined ? { log, store } : { log, store, replica: { ...inStep, ...replica } };
}

describe('a node is ready', () => {
  it('while its log can be read and reads show it', () => {
    expect(healthOf(node({})).faults()).toEqual([]);
    expect(healthOf(node({ head: 0 })).faults()).toEqual([]);
    expect(healthOf(node({ replica: {} })).faults()).toEqual([]);
    expect(healthOf(node({ replica: { ledgerHead: 200, ageMs: 500 } })).faults()).toEqual([]);
  });

  it.each([
    [
      'its log cannot be read',
      {
        read: () => {
          throw new Error('disk I/O error');
        },
      },
      'cannot be read: disk I/O error',
    ],
    ['its log has lost its end', { read: () => [] }, 'has not what its head names'],
    ['reads are far behind', { head: 50_000, shown: 10 }, '49990 events behind'],
    ['the event store is far ahead', { replica: { ledgerHead: 60_000 } }, '59900 events behind'],
    ['the event store has another log', { replica: { connected: false, differs: true } }, 'another log'],
    ['the event store is out of reach', { replica: { connected: false } }, 'cannot be reached'],
    ['its copy has not been in step for long', { replica: { ageMs: 11_000 } }, '11 s old'],
  ])('no longer when %s', (_, options, fault) => {
    expect(healthOf(node(options)).faults()).toEqual([expect.stringContaining(fault)]);
  });
});

describe('the addresses of health', () => {
  it('tell that the process lives, and whether it is ready, to be kept by nobody', async () => {
    const { node: real } = await openTestNode();
    const faults: string[] = [];
    const health = { ...healthOf(real), faults: () => faults };
    const app = buildApp({ host: hostOf(real.store), routes: [], health });
    const ask = async (path: string) => {
      const { statusCode, headers, body } = await app.inject(path);
      return { statusCode, kept: headers['cache-control'], body: JSON.parse(body) };
    };
    const live = { statusCode: 200, kept: 'no-store', body: { status: 'live' } };
    const { position } = real.store.reader;
    expect(await ask('/health/live')).toEqual(live);
    expect(await ask('/health/ready')).toEqual({ ...live, body: { status: 'ready', position } });
    faults.push('the log cannot be read');
    expect(await ask('/health/live')).toEqual(live);
    expect(await ask('/health/ready')).toEqual({
      ...live,
      statusCode: 503,
      body: { status: 'not ready', position, faults },
    });
    await app.close();
    await real.close();
  });
});
