import { setTimeout as wait } from 'node:timers/promises';
import type { LoadRequest, LoadResult } from '../load/types.ts';
import type { Figure, Target } from '../report.ts';
import { inTurn, median } from '../rounds.ts';
import type { Bare } from '../servers/bare.ts';
import { type Process, processorTimeOf } from '../servers/process.ts';
import type { Product } from '../servers/product.ts';
import { type Bench, clients, ms, summary } from './bench.ts';

/** Requests to the product, and those of them that the bare server can answer. */
export interface Contest {
  readonly name: string;
  readonly product: readonly LoadRequest[];
  readonly bare: readonly LoadRequest[];
  readonly status?: number;
  readonly target: Target | null;
}

export interface Servers {
  readonly product: Product;
  readonly bare: Bare;
}

const warmUp = 1.5;

/** Requests per second of both servers, measured alternately. */
export async function throughput(bench: Bench, { product, bare }: Servers, contest: Contest): Promise<Figure> {
  bench.note(contest.name);
  const { name, status = 200, target } = contest;
  let seed = 1;
  const side = (port: number, requests: readonly LoadRequest[], process: Process) => async (seconds: number) => {
    const before = processorTimeOf(process.pid);
    const streams = [{ name, connections: clients, requests, status }];
    const result = await bench.driver.run({ port, seconds, seed: seed++, streams });
    return { ...measured(result), cost: costOf(process, before, result) };
  };
  const sides = {
    product: side(product.port, contest.product, product.process),
    limit: side(bare.port, contest.bare, bare.process),
  };
  await sides.product(warmUp);
  await sides.limit(warmUp);
  const { seconds, rounds } = bench;
  const found = await inTurn(rounds, { product: () => sides.product(seconds), limit: () => sides.limit(seconds) });
  const [ours, limit] = [summary(found.product), summary(found.limit)];
  const cost = (of: readonly { cost: number }[]) => `${Math.round(median(of.map((round) => round.cost)))} µs`;
  const busy = Math.round(100 * median(found.limit.map((round) => round.busy)));
  const note =
    `p99 ${ms(ours.p99)} / ${ms(limit.p99)}, processor ${cost(found.product)} / ${cost(found.limit)}, ` +
    `${kilobytes(ours.bytes)} / ${kilobytes(limit.bytes)} KB, driver ${busy} % busy`;
  return { name, unit: 'req/s', product: ours.perSecond, limit: limit.perSecond, target, note };
}

/** Waits until a server has finished its background work after the start. */
export async function untilIdle({ pid }: Process): Promise<void> {
  for (let i = 0; i < 300; i++) {
    const before = processorTimeOf(pid);
    await wait(1000);
    const after = processorTimeOf(pid);
    if (before === null || after === null || after - before <= 0.03) return;
  }
}

function measured(result: LoadResult) {
  const [stream] = result.streams;
  if (stream === undefined) throw new Error('the driver measured nothing');
  return { ...stream, busy: result.driverBusy };
}

/** Processor time of a request, microseconds: does not depend on other load. */
function costOf({ pid }: Process, before: number | null, { streams }: LoadResult): number {
  const after = processorTimeOf(pid);
  if (before === null || after === null) return Number.NaN;
  return ((after - before) * 1e6) / (streams[0]?.requests ?? 1);
}

function kilobytes(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
