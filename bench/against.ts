import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { seeded } from './data/random.ts';
import type { DataSet } from './data.ts';
import { clients, ms } from './figures/bench.ts';
import { conditional } from './figures/reads.ts';
import { untilIdle } from './figures/throughput.ts';
import type { Driver } from './load/driver.ts';
import type { LoadRequest } from './load/types.ts';
import type { Options } from './options.ts';
import { item, list } from './queries/paths.ts';
import { makeTraffic, type Traffic } from './queries/traffic.ts';
import { changes, creations, largeWrites } from './queries/writing.ts';
import { median } from './rounds.ts';
import { scratchCopy } from './scratch.ts';
import { memoryOf, processorTimeOf } from './servers/process.ts';
import { type Product, productOf, startProduct } from './servers/product.ts';

/** One of two trees, each with its own copy of the data. */
interface Side {
  readonly main: string;
  readonly directory: string;
  readonly product: Product;
}

interface Kind {
  readonly name: string;
  readonly requests: readonly LoadRequest[];
  readonly connections?: number;
  readonly status?: number;
}

interface Round {
  readonly perSecond: number;
  readonly p99: number;
  /** Processor time of the server per request, microseconds. */
  readonly processor: number;
}

/** A figure of this tree, and of the other in the same run. */
interface Compared {
  readonly name: string;
  readonly unit: string;
  readonly now: number;
  readonly before: number;
}

/**
 * Compares this tree with another checkout: starts, reads, writes and memory of both, round by round in turns.
 * Each starts once before, because it may have to build its projections.
 */
export async function compare(
  checkout: string,
  { data, driver, options, note }: { data: DataSet; driver: Driver; options: Options; note: (text: string) => void },
): Promise<string> {
  const first = item(data.ids[0] ?? 1);
  const sides: Side[] = [];
  const copies = ['now', 'before'].map((name) => scratchCopy(name, data.directory));
  const mains = [productOf(join(import.meta.dirname, '..')), productOf(checkout)];
  try {
    for (const [i, main] of mains.entries()) {
      const directory = copies[i]?.directory ?? '';
      note(`starting ${main}`);
      const settling = await startProduct(directory, first, {}, [], main);
      await untilIdle(settling.process);
      await settling.process.stop();
      sides.push({ main, directory, product: await startProduct(directory, first, {}, [], main) });
    }
    const found: Compared[] = [
      pair(
        'start',
        'ms',
        sides.map(({ product }) => product.startedIn),
      ),
    ];
    for (const { product } of sides) await untilIdle(product.process);
    const traffic = await makeTraffic(sides[0]?.product.port ?? 0, data, seeded(data.seed, 20));
    for (const kind of kinds(data, traffic)) {
      note(kind.name);
      found.push(...(await inTurns(kind, sides, { driver, options })));
    }
    found.push(
      pair(
        'memory afterwards',
        'MiB',
        sides.map(({ product }) => memoryOf(product.process.pid) ?? Number.NaN),
      ),
    );
    return tableOf(found);
  } finally {
    for (const { product } of sides) await product.process.stop();
    for (const copy of copies) copy.remove();
  }
}

function kinds(data: DataSet, traffic: Traffic): Kind[] {
  const of = (paths: readonly string[]) => paths.map((path) => ({ path }));
  const [create, update] = [creations(data), changes(data)];
  const large = largeWrites(data, { keyed: false });
  const keyed = largeWrites(data, { keyed: true });
  return [
    { name: 'GET item', requests: of(traffic.items) },
    { name: 'unchanged (304)', requests: of(traffic.items.slice(0, 1000)), status: 304 },
    { name: 'list, same address', requests: of([list({})]) },
    { name: 'lists, random pages and filters', requests: of(traffic.pages) },
    { name: 'lists by category', requests: of(traffic.byCategory) },
    { name: 'by slug', requests: of(traffic.slugs) },
    { name: 'search, one or two words', requests: of(traffic.searches) },
    { name: 'lists with _embed', requests: of(traffic.pages.map((path) => `${path}&_embed`)) },
    { name: 'creates, one client', requests: create, status: 201, connections: 1 },
    { name: 'creates, 50 clients', requests: create, status: 201, connections: 50 },
    { name: 'updates, one client', requests: update, connections: 1 },
    { name: 'updates, 50 clients', requests: update, connections: 50 },
    { name: 'posts of 20 kB, 12 clients', requests: large.posts, status: 201, connections: 12 },
    { name: 'posts of 20 kB with a key', requests: keyed.posts, status: 201, connections: 12 },
    { name: 'batches of 10', requests: large.batches, status: 207, connections: 12 },
  ];
}

async function inTurns(
  { name, requests, connections = clients, status = 200 }: Kind,
  sides: readonly Side[],
  { driver, options: { rounds, seconds } }: { readonly driver: Driver; readonly options: Options },
): Promise<Compared[]> {
  const found: Round[][] = sides.map(() => []);
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const [i, { product }] of sides.entries()) {
      const asked =
        status === 304
          ? await conditional(
              product.port,
              requests.map(({ path }) => path),
            )
          : requests;
      const { pid } = product.process;
      const before = processorTimeOf(pid) ?? Number.NaN;
      const streams = [{ name, connections, requests: asked, status }];
      const result = await driver.run({ port: product.port, seconds, seed: round + 1, streams });
      const [stream] = result.streams;
      if (stream === undefined) throw new Error('the driver measured nothing');
      const processor = (((processorTimeOf(pid) ?? Number.NaN) - before) * 1e6) / stream.requests;
      if (round > 0) found[i]?.push({ perSecond: stream.perSecond, p99: stream.p99, processor });
      await wait(100);
    }
  }
  const middle = (member: keyof Round) => found.map((rounds) => median(rounds.map((round) => round[member])));
  return [
    pair(name, 'req/s', middle('perSecond')),
    pair('  processor', 'µs', middle('processor')),
    pair('  p99', 'ms', middle('p99')),
  ];
}

function pair(name: string, unit: string, [now = Number.NaN, before = Number.NaN]: readonly number[]): Compared {
  return { name, unit, now, before };
}

function tableOf(rows: readonly Compared[]): string {
  const width = Math.max(...rows.map(({ name }) => name.length));
  const shown = (value: number, unit: string) =>
    (unit === 'ms' ? ms(value) : `${Math.round(value)} ${unit}`).padStart(12);
  const line = ({ name, unit, now, before }: Compared) =>
    `${name.padEnd(width)}${shown(now, unit)}${shown(before, unit)}${(now / before).toFixed(2).padStart(8)}`;
  return [
    `${''.padEnd(width)}${'now'.padStart(12)}${'before'.padStart(12)}${'ratio'.padStart(8)}`,
    ...rows.map(line),
  ].join('\n');
}
