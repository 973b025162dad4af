import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isChainFault, verifyChain } from '#eventstore/chain.ts';
import { openEventStoreDb } from '#eventstore/eventstoredb/store.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { dump } from '../support/node.ts';
import { type ServerProcess, serverProcess } from '../support/server-process.ts';
import { type StandInProcess, startStandInProcess } from '../support/stand-in/process.ts';
import { type Told, writeOn } from './writers.ts';

/** `NODES_SECONDS=600` makes it run longer. */
const seconds = Number(process.env['NODES_SECONDS'] ?? 8);
const clients = 8;
const env = { SITE_URL: 'http://site.example' };

const root = mkdtempSync(join(tmpdir(), 'palimpsest-nodes-'));
let standIn: StandInProcess;
let nodes: readonly ServerProcess[];
let told: readonly Told[];
let events: readonly StoredEvent[];

beforeAll(
  async () => {
    standIn = await startStandInProcess(join(root, 'ledger'));
    const names = ['one', 'two', 'three'];
    const shared = { ...env, EVENTSTORE_URL: standIn.url };
    nodes = await Promise.all(names.map((name) => serverProcess(join(root, name), shared)));
    for (const node of nodes) await node.start();
    const password = /password {3}(.+?) {3}/.exec(nodes[0]?.output() ?? '')?.[1] ?? '';
    const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;

    const until = performance.now() + seconds * 1000;
    const goesOn = () => performance.now() < until;
    const writing = { nodes: nodes.map(({ url }) => url), authorization, goesOn };
    const trouble = makeTrouble(goesOn);
    told = (await Promise.all(Array.from({ length: clients }, () => writeOn(writing)))).flat();
    await trouble;
    events = await settle();
  },
  (seconds + 110) * 1000,
);

afterAll(async () => {
  await Promise.all([...(nodes ?? []).map((node) => node.kill()), standIn?.kill()]);
  rmSync(root, { recursive: true, force: true });
});

describe('three nodes, despite kills, hangs, cut connections and restarts of the server', () => {
  it('store each acknowledged write once', () => {
    const stored = told.filter(({ outcome }) => outcome === 'stored');
    expect(stored.length).toBeGreaterThan(20);
    expect(stored.filter(({ mark }) => countOf(mark) !== 1)).toEqual([]);
  });

  it('store no refused write, and a write of unknown outcome at most once', () => {
    const count = (outcome: Told['outcome']) =>
      told.filter((one) => one.outcome === outcome).map(({ mark }) => countOf(mark));
    expect(Math.max(0, ...count('refused'))).toBe(0);
    expect(Math.max(0, ...count('unknown'))).toBeLessThanOrEqual(1);
  });

  it('report no conflict to a client', () => {
    const refusals = told.filter(({ outcome }) => outcome === 'refused').map(({ status, code }) => `${status} ${code}`);
    // A restarted node answers that it is starting until it has caught up.
    const expected = ['503 rest_store_unavailable', '503 rest_starting'];
    expect(refusals.filter((refusal) => !expected.includes(refusal))).toEqual([]);
  });

  it('assign each id once', () => {
    const created = events.filter(({ type }) => type === 'EntryCreated').map(({ stream }) => stream);
    expect(new Set(created).size).toBe(created.length);
  });

  it('end up with identical projections, in which slugs are unique', () => {
    const [first, ...others] = nodes.map(({ directory }) => dump(directory));
    for (const other of others) expect(other).toEqual(first);
    const slugs = (first?.['entries'] ?? []).map((row) => (row as { slug: string }).slug);
    expect(slugs.length).toBeGreaterThan(20);
    expect(new Set(slugs).size).toBe(slugs.length);
  });

  it('end up with the log of the server, whose chain is valid', () => {
    for (const { directory } of nodes) {
      const copy = openSqliteStore({ path: join(directory, 'log.db'), readOnly: true });
      expect(isChainFault(verifyChain(copy.chain()))).toBe(false);
      expect([...copy.read()]).toEqual(events);
      copy.close();
    }
  });
});

/** Repeatedly kills or suspends nodes, cuts subscriptions, loses answers and restarts the server. */
async function makeTrouble(goesOn: () => boolean): Promise<void> {
  const restart = async (node: ServerProcess) => {
    await node.kill();
    await node.start();
  };
  const troubles: readonly (() => unknown)[] = [
    () => restart(nodes[randomInt(nodes.length)] as ServerProcess),
    () => (nodes[randomInt(nodes.length)] as ServerProcess).hang(600),
    () => standIn.tell({ killStreams: true }),
    () => standIn.tell({ appends: ['drop after commit', 'unavailable', 'drop after commit'] }),
    () => standIn.tell({ appends: ['silent after commit'] }),
    () => standIn.restart(),
  ];
  for (let k = 0; goesOn(); k++) {
    await wait(200 + randomInt(500));
    await troubles[k % troubles.length]?.();
  }
}

/** Waits until all nodes show the whole log, stops them and returns the server’s log. */
async function settle(): Promise<readonly StoredEvent[]> {
  for (const node of nodes) await node.start();
  const path = join(root, 'whole.db');
  const options = { url: standIn.url, path, stream: 'palimpsest-site', appendBytes: 1_000_000, chance: Math.random };
  const whole = await openEventStoreDb(options);
  const { position } = whole.head();
  for (const { url } of nodes) await untilShown(url, position);
  await Promise.all(nodes.map((node) => node.stop()));
  const all = [...whole.read()];
  whole.close();
  return all;
}

async function untilShown(url: string, position: number): Promise<void> {
  for (let status = 0; status !== 200; ) {
    const headers = { 'x-cms-position': String(position) };
    const response = await fetch(`${url}/cms-json/cms/v2/posts`, { headers }).catch(() => null);
    await response?.arrayBuffer();
    status = response?.status ?? 0;
  }
}

/** The number of commits that wrote a text with a mark. */
function countOf(mark: string): number {
  const isWrite = (type: string) => type === 'EntryCreated' || type === 'EntryRevised';
  const written = events.filter(({ type, sealed }) => isWrite(type) && sealed?.includes(mark) === true);
  return new Set(written.map(({ commit }) => commit.id)).size;
}
