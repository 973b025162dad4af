import type { LogReader } from '#eventstore/sqlite/log-reader.ts';
import { lineAfter, lineNumberOf, type NamedManifest, type Repository } from './repository.ts';
import { headAt } from './segments.ts';
import { piecesOf, type Tail, type TailPlace, tailOf } from './tail.ts';

/** The newest line of history in a place: its last backup and what was shipped after it. */
export interface Newest {
  readonly manifest: NamedManifest;
  readonly tail: Tail;
  /** Pieces of newer lines, whose backups are missing. */
  readonly later: readonly TailPlace[];
}

export async function newestOf(repository: Repository): Promise<Newest | null> {
  const manifest = await repository.newest();
  if (manifest === null) return null;
  const all = await piecesOf(repository);
  const tail = tailOf(all, manifest);
  const later = all.filter(({ line }) => lineNumberOf(line) > lineNumberOf(manifest.line));
  const found = { manifest, tail, later };
  // A backup that was made meanwhile has removed the pieces that it contains.
  const isStale = missingIn(found) !== null && (await repository.newest())?.key !== manifest.key;
  return isStale ? newestOf(repository) : found;
}

export function topOf({ tail, later }: Newest): number {
  const newer = later.length > 0 ? later : tail.beyond;
  return newer.reduce((top, { to }) => Math.max(top, to), later.length > 0 ? 0 : tail.end.position);
}

/** What the place lacks, although it has what follows; null: nothing. */
export function missingIn(newest: Newest): string | null {
  const { tail, later } = newest;
  const top = topOf(newest);
  const [first] = tail.beyond;
  const after = tail.end.position + 1;
  if (later[0] !== undefined) {
    const number = lineNumberOf(later[0].line);
    return `there is no backup of line ${number}, although pieces of it up to position ${top} are there`;
  }
  if (first === undefined) return null;
  return first.from > after
    ? `positions ${after} to ${first.from - 1} are missing, although positions up to ${top} are there`
    : `${first.key} does not continue what ends at position ${tail.end.position}`;
}

/** The line that a log continues, which is a new one if the place has something that the log lacks. */
export function historyLineOf(log: LogReader, newest: Newest): string {
  const { manifest, tail, later } = newest;
  const ends = [tail.end, ...tail.beyond.map(({ to, end }) => ({ position: to, hash: end }))];
  const isPresent = ({ position, hash }: Tail['end']) => hash !== null && headAt(log, { position, hash }) !== null;
  const isSame = lineNumberOf(manifest.line) > 0 && later.length === 0 && [manifest, ...ends].every(isPresent);
  return isSame ? manifest.line : lineAfter(Math.max(...[manifest, ...later].map(({ line }) => lineNumberOf(line))));
}
