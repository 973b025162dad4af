import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Rebuilt } from '../jobs/rebuild.ts';
import type { Figure } from '../report.ts';
import { inTurn, median } from '../rounds.ts';
import { scratch } from '../scratch.ts';
import { start } from '../servers/process.ts';
import type { Bench } from './bench.ts';

const targetSeconds = 90;
const targetEvents = 1_000_000;
/** One replay is long enough to average out other load on the machine. */
const maxRounds = 2;

/** Rebuilding the projections from the log, search included, beside a bare scan of the same log. */
export async function rebuild(bench: Bench): Promise<Figure[]> {
  const log = join(bench.data.directory, 'log.db');
  const { directory, remove } = scratch('rebuild');
  const projections = join(directory, 'projections.db');
  bench.note(`rebuilding from ${bench.data.events} events`);
  try {
    const { product, limit } = await inTurn(Math.min(bench.rounds, maxRounds), {
      product: () => {
        for (const suffix of ['', '-wal', '-shm']) rmSync(projections + suffix, { force: true });
        return inChild<Rebuilt>('rebuild.ts', { log, projections });
      },
      limit: () => inChild<Pick<Rebuilt, 'events' | 'seconds'>>('scan.ts', { path: log }),
    });
    const seconds = median(product.map((round) => round.seconds));
    const folding = median(product.map((round) => round.folding));
    const events = product[0]?.events ?? 0;
    const scan = median(limit.map((round) => round.seconds));
    const over = (value: (round: Rebuilt) => number) => Math.round(median(product.map(value)));
    const note =
      `folding and rendering ${folding.toFixed(1)} s, search ${(seconds - folding).toFixed(1)} s, ` +
      `processor ${over((round) => round.processor)} s, memory up to ${over((round) => round.memory)} MiB with the mapped log`;
    return [
      {
        name: `rebuild of ${bench.data.posts} posts`,
        unit: 'events/s',
        product: events / seconds,
        limit: events / scan,
        target: null,
        note,
      },
      {
        name: `rebuild, ${events.toLocaleString('en')} events`,
        unit: 's',
        product: seconds,
        limit: scan,
        target: bench.data.events >= targetEvents ? { atMost: targetSeconds } : null,
      },
    ];
  } finally {
    remove();
  }
}

/** Runs a job of the bench in a child process. */
export async function inChild<T>(file: string, job: object): Promise<T> {
  const child = start(join(import.meta.dirname, '..', 'jobs', file));
  try {
    return (await child.ask(job)) as T;
  } finally {
    await child.stop();
  }
}
