import { closeSync, cpSync, fsyncSync, openSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commitRows, readCommitted } from '../jobs/committed.ts';
import type { LoadRequest, Stream, StreamResult } from '../load/types.ts';
import { item, list } from '../queries/paths.ts';
import { changes, creations, largeWrites } from '../queries/writing.ts';
import type { Figure, Target } from '../report.ts';
import { inTurn, median } from '../rounds.ts';
import { scratch } from '../scratch.ts';
import { processorTimeOf } from '../servers/process.ts';
import { type Product, startProduct } from '../servers/product.ts';
import { type Bench, ms, summary } from './bench.ts';
import { untilIdle } from './throughput.ts';

interface Kind {
  readonly name: string;
  readonly connections: number;
  readonly requests: readonly LoadRequest[];
  readonly status: number;
  readonly target?: Target;
  /** Reads during the writes. */
  readonly reading?: Stream;
}

/** The server that receives the writes. */
interface Place {
  readonly product: Product;
  readonly directory: string;
}

const createTarget = 2000;
const readTarget = 25;
export const readsPerSecond = 100;
const many = 50;

/** Creates and updates, on a copy of the data. The limit commits the same bytes to SQLite and nothing else. */
export async function writes(bench: Bench): Promise<Figure[]> {
  const { directory, remove } = scratch('writes');
  bench.note('copying the data');
  cpSync(bench.data.directory, directory, { recursive: true });
  flush(directory);
  const product = await startProduct(directory, item(bench.data.ids[0] ?? 1));
  try {
    bench.note('waiting for the server to be idle');
    await untilIdle(product.process);
    return await allKinds(bench, { product, directory });
  } finally {
    await product.process.stop();
    remove();
  }
}

async function allKinds(bench: Bench, place: Place): Promise<Figure[]> {
  const reading = someReads(bench);
  const create = { requests: creations(bench.data), status: 201 };
  const update = { requests: changes(bench.data), status: 200 };
  const alone = await drive(bench, place, [reading]);
  const one = await measure(bench, place, { name: 'creates, one writer', connections: 1, ...create });
  const fifty: Kind = { name: `creates, ${many} clients`, connections: many, ...create, reading };
  const crowd = await measure(bench, place, { ...fifty, target: { atLeast: createTarget } });
  const meanwhile: Figure = {
    name: `reads beside them, ${readsPerSecond} a second, p99`,
    unit: 'ms',
    product: crowd.reads,
    limit: alone[0]?.p99 ?? Number.NaN,
    target: { atMost: readTarget },
    note: 'limit: the same reads with nobody writing',
  };
  const updates = [
    await measure(bench, place, { name: 'updates, one writer', connections: 1, ...update }),
    await measure(bench, place, { name: `updates, ${many} clients`, connections: many, ...update, reading }),
  ];
  const large = [await keyedBeside(bench, place, 'posts'), await keyedBeside(bench, place, 'batches')];
  return [one.figure, crowd.figure, meanwhile, ...updates.map(({ figure }) => figure), ...large];
}

const keyedTarget = 0.9;
const besides = 10;

/** Two clients that send large writes with an `Idempotency-Key` beside others; the limit is the same without one. */
async function keyedBeside(bench: Bench, place: Place, kind: 'posts' | 'batches'): Promise<Figure> {
  const name = `${kind === 'posts' ? 'posts of 20 kB' : 'batches of 10'} with a key, beside ${besides} writers`;
  bench.note(name);
  const others: Stream = { name: 'others', connections: besides, requests: creations(bench.data), status: 201 };
  const rate = (keyed: boolean) => async () => {
    const requests = largeWrites(bench.data, { keyed })[kind];
    const writing: Stream = { name, connections: 2, requests, status: kind === 'posts' ? 201 : 207 };
    const [written] = await drive(bench, place, [writing, others]);
    if (written === undefined) throw new Error('the driver measured nothing');
    return written;
  };
  // What came before, and the first long texts of a server, would otherwise count for the side that begins.
  await rate(true)();
  const found = await inTurn(bench.rounds, { product: rate(true), limit: rate(false) });
  const [keyed, plain] = [summary(found.product), summary(found.limit)];
  return {
    name,
    unit: 'req/s',
    product: keyed.perSecond,
    limit: plain.perSecond,
    target: { atLeast: keyedTarget * plain.perSecond },
    note: `p99 ${ms(keyed.p99)}, without a key ${ms(plain.p99)}; limit: the same without a key`,
  };
}

/** A figure, and the p99 of the reads meanwhile. */
async function measure(bench: Bench, place: Place, kind: Kind): Promise<{ figure: Figure; reads: number }> {
  bench.note(kind.name);
  let last: Round | undefined;
  const found = await inTurn(bench.rounds, {
    async product() {
      last = await writeForAWhile(bench, place, kind);
      return last;
    },
    limit: () => commitTheSame(bench, place, last),
  });
  const over = (value: (round: Round) => number) => median(found.product.map(value));
  const reads = over(({ read }) => read?.p99 ?? Number.NaN);
  const written = summary(found.product.map((round) => round.written));
  const cost = `processor ${Math.round(over((round) => round.processor))} µs`;
  const beside = kind.reading === undefined ? '' : `, reads beside them p99 ${ms(reads)}`;
  const figure: Figure = {
    name: kind.name,
    unit: 'req/s',
    product: written.perSecond,
    limit: median(found.limit),
    target: kind.target ?? null,
    note: `p99 ${ms(written.p99)}, ${over((round) => round.perCommit).toFixed(1)} events a commit, ${cost}${beside}`,
  };
  return { figure, reads };
}

interface Round {
  readonly written: StreamResult;
  readonly read: StreamResult | undefined;
  /** Rows added to the log. */
  readonly rows: readonly string[];
  readonly perRequest: number;
  readonly perCommit: number;
  /** Processor time of the server per write, including concurrent reads; microseconds. */
  readonly processor: number;
}

async function writeForAWhile(bench: Bench, place: Place, kind: Kind): Promise<Round> {
  const log = join(place.directory, 'log.db');
  const { name, connections, requests, status, reading } = kind;
  const before = readCommitted(log, Number.MAX_SAFE_INTEGER).position;
  const writing: Stream = { name, connections, requests, status };
  const used = processorTimeOf(place.product.process.pid) ?? Number.NaN;
  const [written, read] = await drive(bench, place, reading === undefined ? [writing] : [writing, reading]);
  const processor = ((processorTimeOf(place.product.process.pid) ?? Number.NaN) - used) * 1e6;
  if (written === undefined) throw new Error('the driver measured nothing');
  const { position, rows, commits } = readCommitted(log, before);
  const events = position - before;
  const perCommit = connections === 1 ? 1 : events / commits;
  return {
    written,
    read,
    rows,
    perRequest: events / written.requests,
    perCommit,
    processor: processor / written.requests,
  };
}

/** Requests per second if they consisted of the commit alone. */
async function commitTheSame({ seconds }: Bench, { directory }: Place, round: Round | undefined): Promise<number> {
  if (round === undefined) return Number.NaN;
  const perCommit = Math.max(1, Math.round(round.perCommit));
  return (await commitRows({ directory, rows: round.rows, perCommit, seconds })) / round.perRequest;
}

let seed = 1;

async function drive(bench: Bench, { product }: Place, streams: readonly Stream[]): Promise<readonly StreamResult[]> {
  seed += 10;
  return (await bench.driver.run({ port: product.port, seconds: bench.seconds, seed, streams })).streams;
}

/** A mix of items, first pages and filtered pages. */
export function someReads({ data }: Bench): Stream {
  const items = data.ids.slice(0, 2000).map((id) => ({ path: item(id) }));
  const filtered = Array.from({ length: 500 }, (_, i) => ({
    path: list({ offset: i % 200, categories: 1 + (i % 5) }),
  }));
  const first = Array.from({ length: 500 }, () => ({ path: list({}) }));
  return { name: 'reads', connections: 4, requests: [...items, ...filtered, ...first], pace: readsPerSecond };
}

/** Syncs the files to disk; otherwise the first measured commit would have to wait for them. */
function flush(directory: string): void {
  for (const { name } of readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile())) {
    const file = openSync(join(directory, name), 'r+');
    fsyncSync(file);
    closeSync(file);
  }
}
