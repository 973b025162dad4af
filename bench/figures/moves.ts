import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readCatalogue } from '#ops/migrate/catalogue.ts';
import { openWxr } from '#wxr/wxr.ts';
import { writeExport } from '../data/export.ts';
import type { DataSet } from '../data.ts';
import type { Figure } from '../report.ts';
import { inTurn, median } from '../rounds.ts';
import { scratch } from '../scratch.ts';
import type { Bench } from './bench.ts';

const call = promisify(execFile);
/** An import takes long enough to average out other load on the machine. */
const maxRounds = 2;
const mostPosts = 10_000;

/** An import of an export with posts and revisions, beside reading the same file for the first time. */
export async function moves({ data, rounds, note }: Bench): Promise<Figure[]> {
  const [figure] = await importsOf([join(import.meta.dirname, '..', '..')], { data, rounds, note });
  return figure === undefined ? [] : [{ name: 'import of another site', unit: 'items/s', target: null, ...figure }];
}

/** Items per second of the import by each of some checkouts, in turns; `limit`: of reading alone. */
export async function importsOf(
  checkouts: readonly string[],
  { data, rounds, note }: Pick<Bench, 'rounds' | 'note'> & { readonly data: DataSet },
): Promise<{ readonly product: number; readonly limit: number }[]> {
  const { directory, remove } = scratch('moves');
  const file = join(directory, 'export.xml');
  try {
    const posts = Math.min(data.posts, mostPosts);
    const items = writeExport(file, { seed: data.seed, posts });
    const figures = [];
    for (const checkout of checkouts) {
      note(`importing ${items} items with ${checkout}`);
      const { product, limit } = await inTurn(Math.min(rounds, maxRounds), {
        product: () => imported(checkout, file, join(directory, 'site')),
        limit: () => read(file),
      });
      figures.push({ product: items / median(product), limit: items / median(limit) });
    }
    return figures;
  } finally {
    remove();
  }
}

async function imported(checkout: string, file: string, site: string): Promise<number> {
  rmSync(site, { recursive: true, force: true });
  const env = { ...process.env, DATA_DIR: site };
  // As in `npm run cli`.
  const type = (...args: readonly string[]) =>
    call(process.execPath, ['--max-semi-space-size=16', join(checkout, 'src', 'cli.ts'), ...args], { env });
  await type('user', 'add', 'ada', '--role', 'administrator');
  const since = performance.now();
  await type('migrate', 'run', file);
  return (performance.now() - since) / 1000;
}

async function read(file: string): Promise<number> {
  const since = performance.now();
  await readCatalogue(await openWxr([file]), async () => undefined);
  return (performance.now() - since) / 1000;
}
