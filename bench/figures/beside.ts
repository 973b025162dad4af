import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { callControl, controlPath } from '#ops/control.ts';
import { type RebuildEnd, rebuildState } from '../../src/node/rebuild/types.ts';
import type { Rebuilt } from '../jobs/rebuild.ts';
import type { StreamResult } from '../load/types.ts';
import { item } from '../queries/paths.ts';
import { creations } from '../queries/writing.ts';
import type { Figure } from '../report.ts';
import { median } from '../rounds.ts';
import { scratch } from '../scratch.ts';
import { childrenTimeOf, processorTimeOf } from '../servers/process.ts';
import { type Product, startProduct } from '../servers/product.ts';
import { type Bench, ms } from './bench.ts';
import { inChild } from './rebuild.ts';
import { untilIdle } from './throughput.ts';
import { readsPerSecond, someReads } from './writes.ts';

const targetSeconds = 120;
const targetEvents = 1_000_000;
/** Target for the p99 of reads during a rebuild, as a multiple of the usual one. */
const readTarget = 2;
/** Posts written per second meanwhile. */
const writesPerSecond = 5;
/** Duration of one measurement of reads, seconds. */
const stretch = 5;

/** Rebuilding the projections in a server that answers reads and writes meanwhile. */
export async function beside(bench: Bench): Promise<Figure[]> {
  const { directory, remove } = scratch('beside');
  bench.note('copying the data');
  cpSync(bench.data.directory, directory, { recursive: true });
  bench.note('waiting for the server to be ready and idle');
  const product = await startProduct(directory, item(bench.data.ids[0] ?? 1));
  try {
    await untilIdle(product.process);
    return await measure(bench, product, directory);
  } finally {
    await product.process.stop();
    remove();
  }
}

async function measure(bench: Bench, { port, process }: Product, directory: string): Promise<Figure[]> {
  const reads = someReads(bench);
  const requests = creations(bench.data);
  const writes = { name: 'creates', connections: 2, requests, status: 201, pace: writesPerSecond };
  let seed = 1;
  const drive = async (): Promise<StreamResult> => {
    seed += 10;
    const { streams } = await bench.driver.run({ port, seconds: stretch, seed, streams: [reads, writes] });
    if (streams[0] === undefined) throw new Error('the driver measured nothing');
    return streams[0];
  };
  bench.note('reads and writes at rest');
  await drive();
  const usual = [await drive(), await drive(), await drive(), await drive()];
  bench.note(`rebuilding ${bench.data.events} events beside them`);
  const used = processorTimeOf(process.pid) ?? Number.NaN;
  const usedApart = childrenTimeOf(process.pid) ?? Number.NaN;
  const path = controlPath(directory);
  await callControl(path, 'rebuild start', { projection: [] });
  const rounds: StreamResult[] = [];
  let ended: RebuildEnd | null = null;
  while (ended === null) {
    rounds.push(await drive());
    const state = await callControl(path, 'rebuild state', {});
    if (state?.kind !== 'done') throw new Error('the server does not answer');
    ({ ended } = rebuildState.parse(state.value));
  }
  if (ended.outcome !== 'replaced' || ended.differences?.length !== 0) throw new Error(JSON.stringify(ended));
  const apart = (childrenTimeOf(process.pid) ?? Number.NaN) - usedApart;
  const own = (processorTimeOf(process.pid) ?? Number.NaN) - used;
  const scan = await inChild<Pick<Rebuilt, 'seconds'>>('scan.ts', { path: join(directory, 'log.db') });
  const p99 = (of: readonly StreamResult[]) => median(of.map((round) => round.p99));
  const slowest = Math.max(...rounds.map(({ max }) => max));
  return [
    {
      name: `rebuild beside reads and writes, ${bench.data.events.toLocaleString('en')} events`,
      unit: 's',
      product: ended.seconds,
      limit: scan.seconds,
      target: bench.data.events >= targetEvents ? { atMost: targetSeconds } : null,
      note: `processor ${Math.round(apart)} s, of the server meanwhile ${Math.round(own)} s`,
    },
    {
      name: `reads beside it, ${readsPerSecond} a second, p99`,
      unit: 'ms',
      product: p99(rounds),
      limit: p99(usual),
      target: { atMost: readTarget * p99(usual) },
      note: `${rounds.length} stretches of ${stretch} s, the slowest read ${ms(slowest)}; limit: the same at rest`,
    },
  ];
}
