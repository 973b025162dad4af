import { item } from '../queries/paths.ts';
import type { Figure } from '../report.ts';
import { inTurn, median } from '../rounds.ts';
import { startBare } from '../servers/bare.ts';
import { startProduct } from '../servers/product.ts';
import type { Bench } from './bench.ts';
import { untilIdle } from './throughput.ts';

const targetSeconds = 1.5;
const rounds = 5;

/** Time from starting the process to its first answer, with current projections. */
export async function startTime(bench: Bench): Promise<Figure[]> {
  const { data } = bench;
  const path = item(data.ids[0] ?? 1);
  bench.note('start');
  const first = await startProduct(data.directory, path);
  await untilIdle(first.process);
  await first.process.stop();
  const { product, limit } = await inTurn(rounds, {
    product: () => startAndStop(() => startProduct(data.directory, path)),
    limit: () => startAndStop(startBare),
  });
  return [
    {
      name: `start with ${data.posts.toLocaleString('en')} posts`,
      unit: 's',
      product: median(product),
      limit: median(limit),
      target: { atMost: targetSeconds },
      note: 'to the first answer; limit: the bare server, empty',
    },
  ];
}

async function startAndStop(
  start: () => Promise<{ readonly startedIn: number; readonly process: { stop(): Promise<void> } }>,
): Promise<number> {
  const { startedIn, process } = await start();
  await process.stop();
  return startedIn / 1000;
}
