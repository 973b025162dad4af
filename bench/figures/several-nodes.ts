import { join } from 'node:path';
import type { LoadRequest, Stream } from '../load/types.ts';
import { changes, creations, mixedWrites } from '../queries/writing.ts';
import type { Figure } from '../report.ts';
import { median } from '../rounds.ts';
import { processorTimeOf } from '../servers/process.ts';
import { type Product, startProduct } from '../servers/product.ts';
import { type Bench, ms } from './bench.ts';
import { untilIdle } from './throughput.ts';

/** An event store that several nodes of one site share. */
export interface SharedLog {
  readonly env: Readonly<Record<string, string>>;
  /** Where the nodes keep their directories. */
  readonly directory: string;
  /** Milliseconds by which appends are delayed, one after the other; part of the names of the figures. */
  readonly delays: readonly number[];
  readonly setDelay: (delay: number) => void;
  /** Process of the event store. */
  readonly pid: number;
}

/** Processor time per request, microseconds. */
interface Costs {
  readonly nodes: readonly number[];
  readonly store: number;
  readonly driver: number;
}

/** What some nodes wrote together in one round. */
interface Round {
  readonly perSecond: number;
  readonly p99: number;
  /** The smallest part that one of the nodes had in it, percent. */
  readonly leastShare: number;
  readonly costs: Costs;
}

/** Creates through each node before anything is measured: its first 1,500 cost two to three times what later ones do. */
const warmUp = 3000;
/** Seconds of load before each measurement. */
const approach = 1;
/** In the order in which they are measured. */
const kinds = [
  ...(['one', 'updatesOne', 'mixedOne', 'besideIdle', 'two', 'updatesTwo', 'mixedTwo'] as const),
  ...(['three', 'mixedThree'] as const),
] as const;
type Kind = (typeof kinds)[number];
type Rounds = Record<Kind, Round[]>;

const shapes: Readonly<Record<Kind, { readonly awake: number; readonly connections: readonly number[] }>> = {
  one: { awake: 1, connections: [50] },
  updatesOne: { awake: 1, connections: [50] },
  besideIdle: { awake: 2, connections: [50] },
  two: { awake: 2, connections: [25, 25] },
  updatesTwo: { awake: 2, connections: [25, 25] },
  three: { awake: 3, connections: [17, 17, 17] },
  mixedOne: { awake: 1, connections: [12] },
  mixedTwo: { awake: 2, connections: [6, 6] },
  mixedThree: { awake: 3, connections: [4, 4, 4] },
};

/** One, two and three warm nodes of a site that write at once, in turn on the same log. Nodes that take no part are suspended. */
export async function severalNodes(bench: Bench, log: SharedLog): Promise<Figure[]> {
  const nodes: Product[] = [];
  try {
    for (let node = 1; node <= 3; node++)
      nodes.push(await startProduct(join(log.directory, `node-${node}`), '/cms-json/', log.env));
    bench.note('several nodes: warming up');
    await warm(bench, { nodes, log });
    const figures: Figure[] = [];
    for (const delay of log.delays) {
      log.setDelay(delay);
      figures.push(...figuresOf(await measure(bench, { nodes, log }, delay), delay));
    }
    return figures;
  } finally {
    awaken(nodes, nodes.length);
    await Promise.all(nodes.map(({ process }) => process.stop()));
  }
}

async function warm(bench: Bench, running: Running): Promise<void> {
  const requests = () => creations(bench.data);
  for (let node = 0; node < running.nodes.length; node++) {
    const connections = running.nodes.map((_, i) => (i === node ? 50 : 0));
    await drive({ ...bench, seconds: 60 }, running, connections, { requests, status: 201, limit: warmUp });
  }
  for (const kind of ['three', 'updatesTwo'] as const) await one(bench, running, kind);
}

async function measure(bench: Bench, running: Running, delay: number): Promise<Rounds> {
  const rounds = Object.fromEntries(kinds.map((kind) => [kind, []])) as unknown as Rounds;
  for (let round = 1; round <= bench.rounds; round++) {
    bench.note(`several nodes, appends delayed by ${delay} ms: round ${round} of ${bench.rounds}`);
    for (const kind of kinds) rounds[kind].push(await one(bench, running, kind));
  }
  return rounds;
}

async function one(bench: Bench, running: Running, kind: Kind): Promise<Round> {
  const { awake, connections } = shapes[kind];
  awaken(running.nodes, awake);
  for (const { process } of running.nodes.slice(0, awake)) await untilIdle(process);
  const requests = requestsOf(kind, bench, connections.length);
  const work = { requests: (node: number) => requests[node] ?? [], status: kind.startsWith('updates') ? 200 : 201 };
  await drive({ ...bench, seconds: approach }, running, connections, work);
  return drive(bench, running, connections, work);
}

function requestsOf(kind: Kind, { data }: Bench, nodes: number): readonly (readonly LoadRequest[])[] {
  if (kind.startsWith('updates')) return dealt(changes(data), nodes);
  if (kind.startsWith('mixed')) return dealt(mixedWrites(data), nodes);
  return Array.from({ length: nodes }, () => creations(data));
}

function dealt<T>(all: readonly T[], parts: number): readonly (readonly T[])[] {
  return Array.from({ length: parts }, (_, part) => all.filter((__, i) => i % parts === part));
}

/** Suspends all nodes but the first `awake`. */
function awaken(nodes: readonly Product[], awake: number): void {
  for (const [i, node] of nodes.entries()) process.kill(node.process.pid, i < awake ? 'SIGCONT' : 'SIGSTOP');
}

interface Work {
  readonly requests: (node: number) => readonly LoadRequest[];
  readonly status: number;
  /** Number of requests after which a node is done. */
  readonly limit?: number;
}

let seed = 1000;

interface Running {
  readonly nodes: readonly Product[];
  readonly log: SharedLog;
}

/** Writes through the first nodes, each with its number of connections. */
async function drive(bench: Bench, { nodes, log }: Running, connections: readonly number[], work: Work) {
  const pids = [log.pid, ...nodes.map(({ process }) => process.pid)];
  const used = () => pids.map((pid) => processorTimeOf(pid) ?? Number.NaN);
  const { status, limit = Number.POSITIVE_INFINITY } = work;
  const streams = connections.map((count, i): Stream => {
    const port = nodes[i]?.port ?? 0;
    return { name: `node ${i + 1}`, connections: count, requests: work.requests(i), status, port, limit };
  });
  const before = used();
  seed += 10;
  const began = performance.now();
  const load = { port: 0, seconds: bench.seconds, seed, streams: streams.filter(({ connections }) => connections > 0) };
  const { streams: done, driverBusy } = await bench.driver.run(load);
  const driven = performance.now() - began;
  const requests = done.reduce((sum, one) => sum + one.requests, 0);
  const [store = Number.NaN, ...costs] = used().map((after, i) => ((after - (before[i] ?? 0)) * 1e6) / requests);
  return {
    perSecond: done.reduce((sum, one) => sum + one.perSecond, 0),
    p99: Math.max(...done.map((one) => one.p99)),
    leastShare: (100 * Math.min(...done.map((one) => one.requests))) / requests,
    costs: { nodes: costs, store, driver: (driverBusy * driven * 1000) / requests },
  };
}

function figuresOf(rounds: Rounds, delay: number): Figure[] {
  const over = (kind: keyof Rounds, value: Exclude<keyof Round, 'costs'>) =>
    median(rounds[kind].map((round) => round[value]));
  const suffix = delay === 0 ? '' : `, appends ${delay} ms`;
  const cost = (kind: keyof Rounds, of: (costs: Costs) => number) => median(rounds[kind].map(({ costs }) => of(costs)));
  const costs = (kind: keyof Rounds) => {
    const nodes = (rounds[kind][0]?.costs.nodes ?? [])
      .slice(0, shapes[kind].awake)
      .map((_, i) => cost(kind, (one) => one.nodes[i] ?? Number.NaN));
    return `${nodes.map(Math.round).join(' + ')} + ${Math.round(cost(kind, ({ store }) => store))} + ${Math.round(cost(kind, ({ driver }) => driver))}`;
  };
  /** With a processor for each process, the one that needs the most of it sets the limit. */
  const bound = (kind: keyof Rounds) =>
    1e6 / cost(kind, ({ nodes, store, driver }) => Math.max(...nodes, store, driver));
  const rate = (name: string, kind: keyof Rounds, limit: keyof Rounds, ratio: number): Figure[] => [
    {
      name: name + suffix,
      unit: 'req/s',
      product: over(kind, 'perSecond'),
      limit: over(limit, 'perSecond'),
      target: { ratio },
      note:
        `p99 ${ms(over(kind, 'p99'))} / ${ms(over(limit, 'p99'))}, ` +
        `processor of nodes + event store + driver ${costs(kind)} / ${costs(limit)} µs; limit: one node alone, as many clients`,
    },
    {
      name: `${name}: at most with a core for each process${suffix}`,
      unit: 'req/s',
      product: bound(kind),
      limit: bound(limit),
      target: { ratio },
      note: 'a second divided by the processor time per request of the busiest process',
    },
  ];
  const p99 = (name: string, kind: keyof Rounds, limit: keyof Rounds = 'one'): Figure => ({
    name: `${name}: p99${suffix}`,
    unit: 'ms',
    product: over(kind, 'p99'),
    limit: over(limit, 'p99'),
    target: { times: 1.5 },
  });
  const share = (name: string, kind: keyof Rounds, even: number, atLeast: number): Figure => ({
    name: `${name}: least share${suffix}`,
    unit: '%',
    product: over(kind, 'leastShare'),
    limit: even,
    target: { atLeast },
  });
  const [two, three] = ['creates, two nodes, 25 clients each', 'creates, three nodes, 17 clients each'];
  const [mixedTwo, mixedThree] = [
    'mixed writes, two nodes, 6 clients each',
    'mixed writes, three nodes, 4 clients each',
  ];
  return [
    ...rate(mixedTwo, 'mixedTwo', 'mixedOne', 1.2),
    p99(mixedTwo, 'mixedTwo', 'mixedOne'),
    ...rate(mixedThree, 'mixedThree', 'mixedOne', 1.4),
    p99(mixedThree, 'mixedThree', 'mixedOne'),
    ...rate(two, 'two', 'one', 1),
    p99(two, 'two'),
    share(two, 'two', 100 / 2, 40),
    ...rate(three, 'three', 'one', 0.95),
    p99(three, 'three'),
    share(three, 'three', 100 / 3, 25),
    ...rate('updates of different posts, two nodes, 25 clients each', 'updatesTwo', 'updatesOne', 1.2),
    ...rate('creates through one node, another one idle', 'besideIdle', 'one', 0.97),
  ];
}
