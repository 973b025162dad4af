import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { entryStream } from '#domain/entry/state.ts';
import { openEventStoreDb } from '#eventstore/eventstoredb/store.ts';
import type { Commit, StoredEvent } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { startStandInProcess } from '../../test/support/stand-in/process.ts';
import type { Wired, WireJob } from '../jobs/wire.ts';
import type { StreamResult } from '../load/types.ts';
import { creations } from '../queries/writing.ts';
import type { Figure } from '../report.ts';
import { inTurn, median } from '../rounds.ts';
import { scratch } from '../scratch.ts';
import { processorTimeOf, start } from '../servers/process.ts';
import { type Product, startProduct } from '../servers/product.ts';
import { type Bench, ms, summary } from './bench.ts';
import { severalNodes } from './several-nodes.ts';
import { untilIdle } from './throughput.ts';

const many = 50;
const createTarget = 1000;
const copyTarget = 8000;
/** Enough for some seconds of reading. */
const maxEvents = 60_000;
const site = 'bench';
const stream = `palimpsest-${site}`;
const appendBytes = 1_000_000;

/** Milliseconds that a server may take for an append. */
const delays = [0, 2];

/** Nodes on a shared log. Its server is the stand-in of the tests, so the figures do not apply to a real server. */
export async function nodes(bench: Bench): Promise<Figure[]> {
  const { directory, remove } = scratch('nodes');
  const standIn = await startStandInProcess(join(directory, 'ledger'));
  try {
    const { url } = standIn;
    const { events, ids } = await fill(bench, url, directory);
    const copying = await copies(bench, { url, directory, events });
    const figures = [await creates(bench, { url, directory }), copying];
    const env = { EVENTSTORE_URL: url, EVENTSTORE_SITE: site };
    const log = { env, directory, delays, setDelay: (delay: number) => standIn.tell({ delay }), pid: standIn.pid };
    figures.push(...(await severalNodes({ ...bench, data: { ...bench.data, ids } }, log)));
    return figures;
  } finally {
    await standIn.kill();
    remove();
  }
}

/** Appends the first events of the data set to a shared log and to an embedded one. Returns their number, and the posts in them. */
async function fill({ data, note }: Bench, url: string, directory: string) {
  note('filling the logs');
  mkdirSync(join(directory, 'embedded'));
  const source = openSqliteStore({ path: join(data.directory, 'log.db'), readOnly: true });
  const embedded = openSqliteStore({ path: join(directory, 'embedded', 'log.db') });
  const path = join(directory, 'first.db');
  const shared = await openEventStoreDb({ url, stream, path, appendBytes, chance: Math.random });
  for (const commits of groups(source.read({ to: maxEvents }), (event) => shared.budget?.sizeOf(event) ?? 0)) {
    await shared.append(commits, shared.head().position);
    await embedded.append(commits, embedded.head().position);
  }
  const { position } = shared.head();
  const ids = data.ids.filter((id) => embedded.streamHead(entryStream(id)) > 0);
  for (const store of [shared, embedded, source]) store.close();
  return { events: position, ids };
}

async function copies(bench: Bench, place: { url: string; directory: string; events: number }): Promise<Figure> {
  const { url, directory, events } = place;
  bench.note(`copying ${events} events over the wire`);
  const path = join(directory, 'copy.db');
  const { product, limit } = await inTurn(bench.rounds, {
    product: () => {
      for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
      return wired({ url, stream, path });
    },
    limit: () => wired({ url, stream, path: null }),
  });
  const perSecond = (rounds: readonly Wired[]) => median(rounds.map((round) => round.events / round.seconds));
  return {
    name: 'copy of a shared log, over the wire',
    unit: 'events/s',
    product: perSecond(product),
    limit: perSecond(limit),
    target: { atLeast: copyTarget },
    note: 'limit: the same read with nothing done with it',
  };
}

async function creates(bench: Bench, { url, directory }: { url: string; directory: string }): Promise<Figure> {
  const name = `creates, ${many} clients, on a shared log`;
  bench.note(name);
  const env = { EVENTSTORE_URL: url, EVENTSTORE_SITE: site };
  const shared = await startProduct(join(directory, 'shared'), '/cms-json/', env);
  const embedded = await startProduct(join(directory, 'embedded'), '/cms-json/');
  try {
    for (const { process } of [shared, embedded]) await untilIdle(process);
    const side = (product: Product) => async () => {
      const requests = creations(bench.data);
      const writing = { name, connections: many, requests, status: 201 };
      const before = processorTimeOf(product.process.pid) ?? Number.NaN;
      const { streams } = await bench.driver.run({
        port: product.port,
        seconds: bench.seconds,
        seed: 1,
        streams: [writing],
      });
      const used = (processorTimeOf(product.process.pid) ?? Number.NaN) - before;
      return { streams, cost: (used * 1e6) / (streams[0]?.requests ?? 1) };
    };
    const found = await inTurn(bench.rounds, { product: side(shared), limit: side(embedded) });
    const [ours, limit] = [summary(streamsOf(found.product)), summary(streamsOf(found.limit))];
    const cost = (rounds: readonly { readonly cost: number }[]) =>
      Math.round(median(rounds.map((round) => round.cost)));
    const processor = `processor ${cost(found.product)} / ${cost(found.limit)} µs`;
    const note = `p99 ${ms(ours.p99)} / ${ms(limit.p99)}, ${processor}; limit: the same on an embedded log`;
    return {
      name,
      unit: 'req/s',
      product: ours.perSecond,
      limit: limit.perSecond,
      target: { atLeast: createTarget },
      note,
    };
  } finally {
    await Promise.all([shared.process.stop(), embedded.process.stop()]);
  }
}

function streamsOf(rounds: readonly { readonly streams: readonly StreamResult[] }[]): readonly StreamResult[] {
  return rounds.flatMap(({ streams }) => streams);
}

async function wired(job: WireJob): Promise<Wired> {
  const child = start(join(import.meta.dirname, '..', 'jobs', 'wire.ts'));
  try {
    return (await child.ask(job)) as Wired;
  } finally {
    await child.stop();
  }
}

/** Groups the commits of a log, as many per group as one append accepts. */
function* groups(events: Iterable<StoredEvent>, sizeOf: (event: StoredEvent) => number): Generator<readonly Commit[]> {
  let commits: Commit[] = [];
  let size = 0;
  for (const commit of commitsOf(events)) {
    const bytes = commit.events.reduce((sum, event) => sum + sizeOf(event as StoredEvent), 0);
    if (size + bytes > appendBytes) {
      yield commits;
      [commits, size] = [[], 0];
    }
    commits.push(commit);
    size += bytes;
  }
  yield commits;
}

function* commitsOf(events: Iterable<StoredEvent>): Generator<Commit> {
  let commit: StoredEvent[] = [];
  for (const event of events) {
    commit.push(event);
    if (event.hash === null) continue;
    const { at, actor, correlationId, causationId } = event;
    yield { id: event.commit.id, at, actor, correlationId, causationId, events: commit };
    commit = [];
  }
}
