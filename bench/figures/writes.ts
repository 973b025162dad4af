import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { commitRows, readCommitted } from '../jobs/committed.ts';
import type { LoadRequest, Stream, StreamResult } from '../load/types.ts';
import { item, list } from '../queries/paths.ts';
import { changes, creations } from '../queries/writing.ts';
import type { Figure, Target } from '../report.ts';
import { inTurn, median } from '../rounds.ts';
import { scratch } from '../scratch.ts';
import { type Product, startProduct } from '../servers/product.ts';
import { type Bench, ms, summary } from './bench.ts';
import { untilIdle } from './throughput.ts';

interface Kind {
  readonly name: string;
  readonly connections: number;
  readonly requests: readonly LoadRequest[];
  readonly status: number;
  readonly target: Target | null;
}

const createTarget = 2000;
const readTarget = 25;
const readsPerSecond = 100;

/** Creating and updating, on a copy of the data; the limit commits the same bytes to SQLite with nothing around it. */
export async function writes(bench: Bench): Promise<Figure[]> {
  const { directory, remove } = scratch('writes');
  bench.note('copying the data');
  cpSync(bench.data.directory, directory, { recursive: true });
  const product = await startProduct(directory, item(bench.data.ids[0] ?? 1));
  try {
    bench.note('waiting for the server to be idle');
    await untilIdle(product.process);
    const [create, update] = [creations(bench.data), changes(bench.data)];
    const kinds: Kind[] = [
      { name: 'creates, one writer', connections: 1, requests: create, status: 201, target: null },
      {
        name: 'creates, 50 clients',
        connections: 50,
        requests: create,
        status: 201,
        target: { atLeast: createTarget },
      },
      { name: 'updates, one writer', connections: 1, requests: update, status: 200, target: null },
      { name: 'updates, 50 clients', connections: 50, requests: update, status: 200, target: null },
    ];
    const figures: Figure[] = [];
    for (const kind of kinds) figures.push(...(await measure(bench, { product, directory }, kind)));
    return figures;
  } finally {
    await product.process.stop();
    remove();
  }
}

interface Place {
  readonly product: Product;
  readonly directory: string;
}

async function measure(bench: Bench, { product, directory }: Place, kind: Kind): Promise<Figure[]> {
  bench.note(kind.name);
  const log = join(directory, 'log.db');
  const { name, connections, requests, status } = kind;
  const writing: Stream = { name, connections, requests, status };
  const meanwhile: Stream = {
    name: 'reads meanwhile',
    connections: 4,
    requests: someReads(bench),
    pace: readsPerSecond,
  };
  let seed = 1;
  let last = { rows: [] as readonly string[], perRequest: 1, perCommit: 1 };
  const sides = {
    async product() {
      const before = readCommitted(log, Number.MAX_SAFE_INTEGER).position;
      const load = { port: product.port, seconds: bench.seconds, seed: seed++, streams: [writing, meanwhile] };
      const { streams } = await bench.driver.run(load);
      const [written, read] = streams as [StreamResult, StreamResult];
      const committed = readCommitted(log, before);
      const events = committed.position - before;
      last = { rows: committed.rows, perRequest: events / written.requests, perCommit: events / committed.commits };
      return { written, read, perCommit: last.perCommit };
    },
    async limit() {
      const perCommit = connections === 1 ? 1 : Math.max(1, Math.round(last.perCommit));
      const perSecond = await commitRows({ directory, rows: last.rows, perCommit, seconds: bench.seconds });
      return perSecond / last.perRequest;
    },
  };
  const { product: ours, limit } = await inTurn(bench.rounds, sides);
  const written = summary(ours.map((round) => round.written));
  const groups = median(ours.map((round) => round.perCommit));
  const figure: Figure = {
    name,
    unit: 'req/s',
    product: written.perSecond,
    limit: median(limit),
    target: kind.target,
    note: `p99 ${ms(written.p99)}, ${groups.toFixed(1)} events a commit, reads meanwhile p99 ${ms(readP99(ours))}`,
  };
  return connections === 1 || status !== 201 ? [figure] : [figure, readsFigure(ours)];
}

function readsFigure(rounds: readonly { read: StreamResult }[]): Figure {
  return {
    name: `reads meanwhile, p99 (${readsPerSecond} a second)`,
    unit: 'ms',
    product: readP99(rounds),
    limit: readTarget,
    target: { atMost: readTarget },
    note: 'limit: the target itself',
  };
}

function readP99(rounds: readonly { read: StreamResult }[]): number {
  return median(rounds.map(({ read }) => read.p99));
}

function someReads({ data }: Bench): LoadRequest[] {
  const items = data.ids.slice(0, 2000).map((id) => ({ path: item(id) }));
  const pages = Array.from({ length: 500 }, (_, i) => ({
    path: list({ offset: i % 200, categories: 1 + (i % 5) }),
  }));
  return [...items, ...pages, ...Array.from({ length: 500 }, () => ({ path: list({}) }))];
}
