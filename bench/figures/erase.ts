import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Figure } from '../report.ts';
import { inTurn, median } from '../rounds.ts';
import { scratch } from '../scratch.ts';
import type { Bench } from './bench.ts';

const call = promisify(execFile);
const cli = join(import.meta.dirname, '..', '..', 'src', 'cli.ts');
/** An erasure takes long enough to average out other load on the machine. */
const maxRounds = 2;

/** Erasing a post with the command, on a copy of the data. The limit is a rebuild of the same data, which is most of the work. */
export async function erase({ data, rounds, note }: Bench): Promise<Figure[]> {
  const { directory: work, remove } = scratch('erase');
  const directory = join(work, 'site');
  const env = { ...process.env, DATA_DIR: directory };
  const seconds = async (...args: readonly string[]) => {
    const since = performance.now();
    await call(process.execPath, [cli, ...args], { env });
    return (performance.now() - since) / 1000;
  };
  try {
    note(`erasing from ${data.posts} posts`);
    cpSync(data.directory, directory, { recursive: true });
    // The first command would rebuild projections of another version.
    await seconds('user', 'list');
    const ids = data.ids.values();
    const { product, limit } = await inTurn(Math.min(rounds, maxRounds), {
      product: () => seconds('erase', 'entry', String(ids.next().value), '--yes'),
      limit: () => seconds('rebuild'),
    });
    return [{ name: 'erase of a post', unit: 's', product: median(product), limit: median(limit), target: null }];
  } finally {
    remove();
  }
}
