import { join } from 'node:path';
import type { LoadRequest, Stream } from '../load/types.ts';
import { changes, creations } from '../queries/writing.ts';
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
  /** Milliseconds by which each append is delayed; part of the names of the figures. */
  readonly delay: number;
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

const warmUp = 1.5;
const kinds = ['one', 'besideIdle', 'two', 'three', 'updatesOne', 'updatesTwo'] as const;
type Rounds = Record<(typeof kinds)[number], Round[]>;

/** One, two and three nodes of a site that write at once, in turn, each round on the same log. */
export async function severalNodes(bench: Bench, log: SharedLog): Promise<Figure[]> {
  const rounds = Object.fromEntries(kinds.map((kind) => [kind, []])) as unknown as Rounds;
  for (let round = 1; round <= bench.rounds; round++) {
    bench.note(`several nodes, appends delayed by ${log.delay} ms: round ${round} of ${bench.rounds}`);
    const found = await oneRound(bench, log);
    for (const kind of kinds) rounds[kind].push(found[kind]);
  }
  return figuresOf(rounds, log);
}

async function oneRound(bench: Bench, log: SharedLog): Promise<Record<keyof Rounds, Round>> {
  const nodes: Product[] = [];
  const startNext = async () => {
    const directory = join(log.directory, `node-${nodes.length + 1}`);
    nodes.push(await startProduct(directory, '/cms-json/', log.env));
    for (const { process } of nodes) await untilIdle(process);
    await create(
      nodes.map(() => 10),
      warmUp,
    );
  };
  const requests = creations(bench.data);
  const create = (connections: readonly number[], seconds = bench.seconds) =>
    drive({ ...bench, seconds }, { nodes, log }, connections, { requests: () => requests, status: 201 });
  const update = (connections: readonly number[]) => {
    const all = changes(bench.data);
    const part = (node: number) => all.filter((_, i) => i % connections.length === node);
    return drive(bench, { nodes, log }, connections, { requests: part, status: 200 });
  };
  try {
    await startNext();
    const [one, updatesOne] = [await create([50]), await update([50])];
    await startNext();
    const [besideIdle, two, updatesTwo] = [await create([50]), await create([25, 25]), await update([25, 25])];
    await startNext();
    return { one, updatesOne, besideIdle, two, updatesTwo, three: await create([17, 17, 17]) };
  } finally {
    await Promise.all(nodes.map(({ process }) => process.stop()));
  }
}

interface Work {
  readonly requests: (node: number) => readonly LoadRequest[];
  readonly status: number;
}

let seed = 1000;

interface Running {
  readonly nodes: readonly Product[];
  readonly log: SharedLog;
}

/** Writes through the first nodes, with so many connections each. */
async function drive(bench: Bench, { nodes, log }: Running, connections: readonly number[], work: Work) {
  const pids = [log.pid, ...nodes.map(({ process }) => process.pid)];
  const used = () => pids.map((pid) => processorTimeOf(pid) ?? Number.NaN);
  const streams = connections.map((count, i): Stream => {
    const port = nodes[i]?.port ?? 0;
    return { name: `node ${i + 1}`, connections: count, requests: work.requests(i), status: work.status, port };
  });
  const before = used();
  seed += 10;
  const began = performance.now();
  const { streams: done, driverBusy } = await bench.driver.run({ port: 0, seconds: bench.seconds, seed, streams });
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

function figuresOf(rounds: Rounds, { delay }: SharedLog): Figure[] {
  const over = (kind: keyof Rounds, value: Exclude<keyof Round, 'costs'>) =>
    median(rounds[kind].map((round) => round[value]));
  const suffix = delay === 0 ? '' : `, appends ${delay} ms`;
  const cost = (kind: keyof Rounds, of: (costs: Costs) => number) => median(rounds[kind].map(({ costs }) => of(costs)));
  const costs = (kind: keyof Rounds) => {
    const nodes = (rounds[kind][0]?.costs.nodes ?? []).map((_, i) => cost(kind, (one) => one.nodes[i] ?? Number.NaN));
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
        `processor of nodes + event store + driver ${costs(kind)} / ${costs(limit)} µs; limit: one node alone, 50 clients`,
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
  const p99 = (name: string, kind: keyof Rounds): Figure => ({
    name: `${name}: p99${suffix}`,
    unit: 'ms',
    product: over(kind, 'p99'),
    limit: over('one', 'p99'),
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
  return [
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
