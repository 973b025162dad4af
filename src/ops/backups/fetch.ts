import { codec } from '#catalogue/events.ts';
import type { ErasureReason } from '#domain/kernel/erasure.ts';
import { CopyDiffers, type Head, LogDamaged } from '#eventstore/port.ts';
import { openBulkImport } from '#eventstore/sqlite/bulk-import.ts';
import { fromPackedRow } from '#eventstore/sqlite/packed.ts';
import type { PackedRow } from '#eventstore/sqlite/row.ts';
import { orderTypes } from '#node/erasure/coverage.ts';
import type { OwedOrder } from '#node/erasure/pending.ts';
import type { StartProgress } from '../progress.ts';
import { header } from '../transfer/format.ts';
import { createLines } from '../transfer/lines.ts';
import { readInWorker } from '../transfer/read-in-worker.ts';
import { missingIn, type Newest, newestOf, topOf } from './newest.ts';
import { type NamedManifest, NoBackup, type Repository } from './repository.ts';
import type { End } from './tail.ts';

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
  readonly orders: readonly OwedOrder[];
  readonly missing: string | null;
  readonly top: number;
}

/** The place lacks something, although it has what follows. */
export class PiecesMissing extends Error {
  override readonly name = 'PiecesMissing';
}

export async function fetchLog(parts: FetchParts): Promise<FetchedBackup> {
  const { repository, until, path, progress } = parts;
  const { manifest, keys, end, position, missing, top } = await chosen(parts);
  const last = end.position;
  const time = until === undefined ? null : new Date(until).toISOString();
  const target = openBulkImport(path);
  const task = progress({ name: 'fetching the log', total: last, unit: 'events' });
  const orders: OwedOrder[] = [];
  let isOver = false;
  let reached = 0;
  const isEnough = () => isOver || reached >= position;
  try {
    const lines = readInWorker(linesOf(repository, keys));
    for await (const { commits, fault } of isDoneWhen(isEnough, lines)) {
      for (const commit of commits) {
        const [first] = commit;
        isOver ||= time !== null && first !== undefined && first[9] > time;
        isOver ||= (commit.at(-1)?.[0] ?? 0) > position;
        if (isOver) orders.push(...ordersIn(commit));
        else target.take(commit);
        reached = commit.at(-1)?.[0] ?? reached;
      }
      if (fault !== null && !isEnough()) {
        throw new NoBackup(`the backup is damaged after position ${reached}: ${fault.message}`);
      }
      await task.at(reached);
    }
    if (reached !== last) {
      if (!isEnough()) throw new NoBackup(`the backup ends at position ${reached} and should end at ${last}`);
      console.error(`${repository.store.address}: ${unread(reached)}`);
    }
    await target.flush();
    const head = target.head();
    if (differs(head, manifest) || differs(head, end)) throw new NoBackup('the backup does not end with its hash');
    return { manifest, head, orders, missing, top };
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
async function* isDoneWhen<T>(isEnough: () => boolean, pieces: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* pieces;
  } catch (error) {
    if (!isEnough()) throw error;
  }
}

function unread(position: number): string {
  return `what comes after position ${position} cannot be read. Erasures that were ordered later have to be ordered again.`;
}

function differs(one: End, other: End): boolean {
  return one.position === other.position && other.hash !== null && one.hash !== other.hash;
}

interface Chosen {
  readonly manifest: NamedManifest;
  /** Segments and pieces: those of what is restored, and those of what follows, which may contain orders to erase. */
  readonly keys: readonly string[];
  readonly end: End;
  /** Last position to restore. */
  readonly position: number;
  readonly missing: string | null;
  readonly top: number;
}

async function chosen(parts: FetchParts): Promise<Chosen> {
  const { repository, backup, position = Number.POSITIVE_INFINITY, isPartial = false } = parts;
  if (backup !== undefined) return older(parts, backup);
  const { address } = repository.store;
  const newest = await newestOf(repository);
  if (newest === null) throw new NoBackup(`there is no backup in ${address}`);
  const missing = missingIn(newest);
  const { end } = newest.tail;
  if (missing !== null && !isPartial && position > end.position) {
    throw new PiecesMissing(
      `${address}: ${missing}. --position ${end.position} takes what is before, --backup one of \`backup list\``,
    );
  }
  return { manifest: newest.manifest, keys: keysOf(newest), end, position, missing, top: topOf(newest) };
}

async function older({ repository, position = Number.POSITIVE_INFINITY }: FetchParts, backup: string): Promise<Chosen> {
  const { address } = repository.store;
  const key = (await repository.keys()).find((each) => each === backup || each === `backups/${backup}`);
  if (key === undefined) throw new NoBackup(`there is no backup ${backup} in ${address}`);
  const manifest = await repository.read(key);
  const own = keysOf({ manifest });
  const about = { manifest, position: Math.min(position, manifest.position), missing: null, top: manifest.position };
  // An older one is needed when the newest is damaged.
  const newest = await newestOf(repository).catch(() => null);
  if (newest?.manifest.line === manifest.line) {
    return { ...about, keys: [...new Set([...own, ...keysOf(newest)])], end: newest.tail.end };
  }
  console.error(
    `${address}: the newest line of history is not read. Erasures that were ordered there have to be ordered again.`,
  );
  return { ...about, keys: own, end: manifest };
}

function keysOf({ manifest, tail }: Pick<Newest, 'manifest'> & Partial<Newest>): readonly string[] {
  return [...manifest.segments, ...(tail?.pieces ?? [])].map(({ key }) => key);
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

function ordersIn(commit: readonly PackedRow[]): readonly OwedOrder[] {
  return commit.map(fromPackedRow).flatMap(({ type, v, stream, data }) => {
    if (!orderTypes.includes(type)) return [];
    const { by, reason } = codec.decode({ type, v, data, sealed: null }).data as ErasureReason;
    return { stream, by, reason };
  });
}
