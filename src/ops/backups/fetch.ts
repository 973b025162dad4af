import { openBulkImport } from '#eventstore/bulk-import.ts';
import { fromPackedRow } from '#eventstore/packed.ts';
import { CopyDiffers, type Head, LogDamaged } from '#eventstore/port.ts';
import type { PackedRow } from '#eventstore/row.ts';
import { type Order, orderTypes } from '#node/erasure/coverage.ts';
import type { StartProgress } from '../progress.ts';
import { header } from '../transfer/format.ts';
import { createLines } from '../transfer/lines.ts';
import { readInWorker } from '../transfer/read-in-worker.ts';
import { type NamedManifest, NoBackup, type Repository } from './repository.ts';
import { tailOf } from './tail.ts';

export interface FetchParts {
  readonly repository: Repository;
  /** Key of a backup; absent: the newest, with everything shipped after it. */
  readonly backup?: string | undefined;
  /** Latest time of commits to restore, ISO 8601. */
  readonly until?: string | undefined;
  readonly path: string;
  readonly progress: StartProgress;
}

export interface Fetched {
  readonly manifest: NamedManifest;
  readonly head: Head;
  readonly orders: readonly Order[];
}

export async function fetchLog({ repository, backup, until, path, progress }: FetchParts): Promise<Fetched> {
  const manifest = await chosen(repository, backup);
  const tail = backup === undefined ? await tailOf(repository, manifest.line, manifest.position) : [];
  const keys = [...manifest.segments, ...tail].map(({ key }) => key);
  const last = tail.at(-1)?.to ?? manifest.position;
  const time = until === undefined ? null : new Date(until).toISOString();
  const target = openBulkImport(path);
  const task = progress({ name: 'fetching the log', total: last, unit: 'events' });
  const orders: Order[] = [];
  let isOver = false;
  let reached = 0;
  let hash = '';
  try {
    for await (const { commits, fault } of readInWorker(linesOf(repository, keys))) {
      for (const commit of commits) {
        const [first] = commit;
        isOver ||= time !== null && first !== undefined && first[9] > time;
        if (isOver) orders.push(...ordersIn(commit));
        else target.take(commit);
        [reached, hash] = [commit.at(-1)?.[0] ?? reached, commit.at(-1)?.[15] ?? hash];
      }
      if (fault !== null) throw new NoBackup(`the backup is damaged after position ${reached}: ${fault.message}`);
      await task.at(reached);
    }
    if (reached !== last) throw new NoBackup(`the backup ends at position ${reached} and should end at ${last}`);
    if (tail.length === 0 && hash !== manifest.hash) throw new NoBackup('the backup does not end with its hash');
    await target.flush();
    return { manifest, head: target.head(), orders };
  } catch (error) {
    if (error instanceof CopyDiffers || error instanceof LogDamaged) {
      throw new NoBackup(`the backup is damaged: ${error.message}`, { cause: error });
    }
    throw error;
  } finally {
    task.end();
    target.close();
  }
}

async function chosen(repository: Repository, backup: string | undefined): Promise<NamedManifest> {
  const keys = await repository.keys();
  const key = backup === undefined ? keys.at(-1) : keys.find((each) => each === backup || each === `backups/${backup}`);
  if (key !== undefined) return repository.read(key);
  const what = backup === undefined ? 'no backup' : `no backup ${backup}`;
  throw new NoBackup(`there is ${what} in ${repository.store.address}`);
}

async function* linesOf(repository: Repository, keys: readonly string[]): AsyncGenerator<Buffer> {
  yield Buffer.from(header);
  let last = 0;
  for (const key of keys) {
    const lines = createLines();
    for await (const piece of repository.readLines(key)) {
      for (const { bytes } of lines.take(piece)) {
        const position = Number(/^\{"position":(\d+),/.exec(bytes.toString('latin1', 0, 40))?.[1] ?? last + 1);
        if (position <= last) continue;
        last = position;
        yield Buffer.concat([bytes, newline]);
      }
    }
    if (lines.held > 0) throw new NoBackup(`${key} is cut off`);
  }
}

const newline = Buffer.from('\n');

function ordersIn(commit: readonly PackedRow[]): readonly Order[] {
  return commit.map(fromPackedRow).flatMap(({ type, stream, position, id }) => {
    return orderTypes.includes(type) ? { stream, position, id } : [];
  });
}
