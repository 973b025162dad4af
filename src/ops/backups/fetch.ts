import { openBulkImport } from '#eventstore/bulk-import.ts';
import { fromPackedRow } from '#eventstore/packed.ts';
import { CopyDiffers, type Head, LogDamaged } from '#eventstore/port.ts';
import type { PackedRow } from '#eventstore/row.ts';
import { type ErasureOrder, orderTypes } from '#node/erasure/coverage.ts';
import type { StartProgress } from '../progress.ts';
import { header } from '../transfer/format.ts';
import { createLines } from '../transfer/lines.ts';
import { readInWorker } from '../transfer/read-in-worker.ts';
import { missingIn, newestOf, topOf } from './newest.ts';
import { type NamedManifest, NoBackup, type Repository } from './repository.ts';
import { tailOf } from './tail.ts';

export interface FetchParts {
  readonly repository: Repository;
  /** Key of a backup; absent: the newest, with everything shipped after it. */
  readonly backup?: string | undefined;
  /** Latest time of commits to restore, ISO 8601. */
  readonly until?: string | undefined;
  /** Last position to restore. */
  readonly position?: number | undefined;
  /** Whether a place that lacks something gives what is before it. Default: rejects with `PiecesMissing`. */
  readonly isPartial?: boolean;
  readonly path: string;
  readonly progress: StartProgress;
}

export interface FetchedBackup {
  readonly manifest: NamedManifest;
  readonly head: Head;
  readonly orders: readonly ErasureOrder[];
  readonly missing: string | null;
  readonly top: number;
}

/** The place lacks something, although it has what follows. */
export class PiecesMissing extends Error {
  override readonly name = 'PiecesMissing';
}

export async function fetchLog(parts: FetchParts): Promise<FetchedBackup> {
  const { repository, until, position, path, progress } = parts;
  const { manifest, tail, missing, top } = await chosen(parts);
  const keys = [...manifest.segments, ...tail.pieces].map(({ key }) => key);
  const last = tail.end.position;
  const time = until === undefined ? null : new Date(until).toISOString();
  const target = openBulkImport(path);
  const task = progress({ name: 'fetching the log', total: last, unit: 'events' });
  const orders: ErasureOrder[] = [];
  let isOver = false;
  let reached = 0;
  let hash = '';
  try {
    const lines = readInWorker(linesOf(repository, keys));
    for await (const { commits, fault } of isDoneWhen(() => isOver, lines)) {
      for (const commit of commits) {
        const [first] = commit;
        isOver ||= time !== null && first !== undefined && first[9] > time;
        isOver ||= position !== undefined && (commit.at(-1)?.[0] ?? 0) > position;
        if (isOver) orders.push(...ordersIn(commit));
        else target.take(commit);
        [reached, hash] = [commit.at(-1)?.[0] ?? reached, commit.at(-1)?.[15] ?? hash];
      }
      if (fault !== null && !isOver) {
        throw new NoBackup(`the backup is damaged after position ${reached}: ${fault.message}`);
      }
      await task.at(reached);
    }
    if (isOver && reached !== last) console.error(`${repository.store.address}: ${unread(reached)}`);
    if (!isOver && reached !== last)
      throw new NoBackup(`the backup ends at position ${reached} and should end at ${last}`);
    if (!isOver && tail.end.hash !== null && hash !== tail.end.hash)
      throw new NoBackup('the backup does not end with its hash');
    await target.flush();
    return { manifest, head: target.head(), orders, missing, top };
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

/** Ends with an error that comes after what is wanted, because that is whole. */
async function* isDoneWhen<T>(isOver: () => boolean, pieces: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* pieces;
  } catch (error) {
    if (!isOver()) throw error;
  }
}

function unread(position: number): string {
  return `what comes after position ${position} cannot be read. Erasures that were ordered later have to be ordered again.`;
}

async function chosen({ repository, backup, position = Number.POSITIVE_INFINITY, isPartial = false }: FetchParts) {
  const { address } = repository.store;
  if (backup !== undefined) {
    const key = (await repository.keys()).find((each) => each === backup || each === `backups/${backup}`);
    if (key === undefined) throw new NoBackup(`there is no backup ${backup} in ${address}`);
    const manifest = await repository.read(key);
    return { manifest, tail: tailOf([], manifest), missing: null, top: manifest.position };
  }
  const newest = await newestOf(repository);
  if (newest === null) throw new NoBackup(`there is no backup in ${address}`);
  const missing = missingIn(newest);
  const end = newest.tail.end.position;
  if (missing !== null && !isPartial && position > end) {
    throw new PiecesMissing(
      `${address}: ${missing}. --position ${end} takes what is before, --backup one of \`backup list\``,
    );
  }
  return { ...newest, missing, top: topOf(newest) };
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
    if (lines.buffered > 0) throw new NoBackup(`${key} is cut off`);
  }
}

const newline = Buffer.from('\n');

function ordersIn(commit: readonly PackedRow[]): readonly ErasureOrder[] {
  return commit.map(fromPackedRow).flatMap(({ type, stream, position, id }) => {
    return orderTypes.includes(type) ? { stream, position, id } : [];
  });
}
