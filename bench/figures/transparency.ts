import { join } from 'node:path';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { LogTree } from '#node/tree/log-tree.ts';
import { reporterOf } from '#process/reporter.ts';
import { consistencyProof, inclusionProof, rootOf } from '#tlog/tree.ts';
import { below, seeded } from '../data/random.ts';
import type { Figure } from '../report.ts';
import { scratch } from '../scratch.ts';
import type { Bench } from './bench.ts';
import { inChild } from './rebuild.ts';

const targetSeconds = 10;
const targetEvents = 1_000_000;
/** Milliseconds. */
const target = { atMost: 1 };
const questions = 5000;
const percentile = 0.99;

/** The Merkle tree over a log that has none yet, beside a bare scan of its rows; and what is asked of it afterwards. */
export async function transparency({ data, note }: Bench): Promise<Figure[]> {
  const path = join(data.directory, 'log.db');
  const { directory, remove } = scratch('transparency');
  note(`a tree over ${data.events} events`);
  const log = openSqliteStore({ path, readOnly: true });
  const tree = new LogTree({ dataDir: directory, log, reporter: reporterOf({}) });
  try {
    const began = performance.now();
    while (tree.grow());
    const seconds = (performance.now() - began) / 1000;
    const { seconds: scan } = await inChild<{ readonly seconds: number }>('scan.ts', { path });
    const size = tree.tree.size;
    const random = seeded(1, 1);
    const asked = {
      root: (some: number) => rootOf(some, tree.tree),
      inclusion: (some: number) => inclusionProof(some - 1, size, tree.tree),
      consistency: (some: number) => consistencyProof(some, size, tree.tree),
    };
    const events = size.toLocaleString('en');
    const all = { name: `tree over ${events} events`, unit: 's', product: seconds, limit: scan } as const;
    return [
      { ...all, target: size >= targetEvents ? { atMost: targetSeconds } : null },
      ...Object.entries(asked).map(([name, ask]): Figure => {
        const times = Array.from({ length: questions }, () => {
          const some = 1 + below(random, size);
          const since = performance.now();
          ask(some);
          return performance.now() - since;
        }).sort((a, b) => a - b);
        const p99 = times[Math.floor(questions * percentile)] ?? Number.NaN;
        return { name: `${name}, p99`, unit: 'ms', product: p99, limit: target.atMost, target };
      }),
    ];
  } finally {
    tree.close();
    log.close();
    remove();
  }
}
