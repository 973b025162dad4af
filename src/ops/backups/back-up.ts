import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { codec } from '#catalogue/events.ts';
import type { Config } from '#config.ts';
import { EMPTY_HEAD } from '#eventstore/chain.ts';
import type { Head, ReadQuery } from '#eventstore/port.ts';
import { type LogReader, openLogReader } from '#eventstore/sqlite/log-reader.ts';
import { fileKeyOf } from '#media/files.ts';
import { openMedia } from '#media/open.ts';
import { carriedIn } from '#node/carried-files.ts';
import { openMark } from '#node/erasure/mark.ts';
import { writeLastBackup } from '#node/last-backup.ts';
import { listedOnce } from '#objects/below.ts';
import type { ObjectStore } from '#objects/port.ts';
import { reporterOf } from '#process/reporter.ts';
import type { StartProgress } from '../progress.ts';
import { fileCopier } from '../transfer/files.ts';
import { goneByErasure } from '../verify/files.ts';
import { historyLineOf, newestOf } from './newest.ts';
import { type BackupSegment, lineAfter, type NamedManifest, padded, type Repository } from './repository.ts';
import { damaged, headAt, writeSegments } from './segments.ts';
import { piecesOf } from './tail.ts';

interface Kept {
  readonly made: NamedManifest;
  readonly superseded: readonly NamedManifest[];
  readonly keep: number;
}

/** Lock held while a backup is added, so that no two processes clean up the same repository. */
export const lockName = 'backing-up';

/** Trailing segments of the last backup below this size in bytes are written again, merged with the new events. */
const smallBytes = 16 * 1024 * 1024;

/** Milliseconds for which unreferenced objects are kept: another process may be about to reference them. */
const hour = 3_600_000;
const segmentKey = /^log\/\d{12}-[\da-f-]{36}$/;

export class OtherSite extends Error {
  override readonly name = 'OtherSite';
}

export interface BackUpParts {
  readonly repository: Repository;
  readonly config: Pick<Config, 'dataDir' | 'mediaUrl'>;
  readonly keep: number;
  readonly progress: StartProgress;
  readonly now: () => Date;
}

export interface BackedUp {
  readonly key: string;
  readonly at: string;
  readonly position: number;
  readonly hash: string;
  /** Events and files written, including those that were written again. */
  readonly events: number;
  readonly files: number;
  readonly findings: readonly string[];
}

/** Adds a backup of the current log and uploaded files. Null: the log is empty. */
export async function backUp(parts: BackUpParts): Promise<BackedUp | null> {
  const { repository, config, progress, now } = parts;
  // Before the log is opened: it may have more than the place then, but not less.
  const newest = await newestOf(repository);
  // The log then has all that is signed.
  const findings: string[] = [];
  const onFault = (message: string) => void findings.push(message);
  const carried = carriedIn(config.dataDir, { withKey: repository.isEncrypted, onFault });
  const log = openLogReader(join(config.dataDir, 'log.db'));
  const source = await openMedia(config);
  const task = progress({ name: 'backing up', total: log.top, unit: 'events' });
  try {
    if (log.top === 0) return null;
    const { site, all } = await backupsOf(repository, log);
    const last = newest !== null && headAt(log, newest.manifest) !== null ? newest.manifest : null;
    const erased = erasedIn(config.dataDir, log);
    const isAnew = last === null || erased > last.erased;
    const kept = isAnew ? [] : wholeOf(last.segments);
    const from = isAnew ? EMPTY_HEAD : startOf(kept, log);
    const to = isAnew ? await listedOnce(repository.media) : repository.media;
    const files = fileCopier({ from: source, to, onFault });
    const segments: BackupSegment[] = [...kept];
    let end: Head = from;
    let key = '';
    const write = (first: number, lines: AsyncIterable<Uint8Array>) => {
      key = `log/${padded(first)}-${randomUUID()}`;
      return repository.writeLines(key, lines);
    };
    for await (const written of writeSegments({ log, from, files, write, task })) {
      end = written.end;
      segments.push({ key, from: written.from, to: end.position, hash: end.hash, bytes: written.bytes });
    }
    if (end.position !== log.top) throw damaged('a commit is cut off', end.position + 1);
    const line = newest === null ? lineAfter(0) : historyLineOf(log, newest);
    const at = now().toISOString();
    const about = { format: 'palimpsest-backup', version: 2, at, site, line } as const;
    const made = await repository.write({
      ...about,
      position: end.position,
      hash: end.hash,
      erased,
      segments,
      carried,
    });
    // Older backups that still contain erased texts are removed: the new one contains everything else in them.
    const superseded = isAnew ? all.filter((one) => headAt(log, one) !== null) : [];
    await cleanUp(repository, { made, superseded, keep: parts.keep });
    if (isAnew && last !== null) await removeErased(repository.media, log);
    writeLastBackup(config.dataDir, { at, position: end.position });
    const events = end.position - from.position;
    return { key: made.key, at, position: end.position, hash: end.hash, events, files: files.copied, findings };
  } finally {
    task.end();
    source.close();
    log.close();
  }
}

async function backupsOf(repository: Repository, log: LogReader) {
  const all: NamedManifest[] = [];
  for (const key of await repository.keys()) all.push(await repository.read(key));
  const site = firstHash(log);
  if (all.some((one) => one.site !== site)) {
    throw new OtherSite(`${repository.store.address} has backups of another site`);
  }
  return { all, site };
}

/**
 * How far the log has been backed up, including its shipped end, and the time of the last backup; null: not at all, or the place has
 * something that the log lacks.
 */
export async function endOf(repository: Repository, logPath: string) {
  const newest = await newestOf(repository);
  const log = openLogReader(logPath);
  try {
    if (log.top === 0 || newest === null) return null;
    await backupsOf(repository, log);
    const { line, at } = newest.manifest;
    const { position, hash } = newest.tail.end;
    const head = hash === null || historyLineOf(log, newest) !== line ? null : headAt(log, { position, hash });
    return head && { line, at, head };
  } finally {
    log.close();
  }
}

function firstHash(log: LogReader): string {
  for (const { hash } of log.quoted(1)) if (hash !== null) return hash;
  throw damaged('a commit is cut off', 1);
}

function wholeOf(segments: readonly BackupSegment[]): readonly BackupSegment[] {
  return segments.slice(0, segments.findLastIndex(({ bytes }) => bytes >= smallBytes) + 1);
}

function startOf(kept: readonly BackupSegment[], log: LogReader): Head {
  const last = kept.at(-1);
  const found = last === undefined ? EMPTY_HEAD : headAt(log, { position: last.to, hash: last.hash });
  if (found === null) throw damaged('it is not the log that was backed up', last?.to ?? 0);
  return found;
}

function erasedIn(dataDir: string, log: LogReader): number {
  const read = ({ from = 1 }: ReadQuery = {}) => {
    const [event] = from > log.top ? [] : log.chain(from);
    return event === undefined ? [] : [event];
  };
  return openMark(join(dataDir, 'erased.json'), { log: { read }, reporter: reporterOf() }).read();
}

/** Removes what no backup needs. Objects whose names this version does not know stay. */
async function cleanUp(repository: Repository, { made, superseded, keep }: Kept): Promise<void> {
  const { store } = repository;
  const gone = new Set(superseded.map(({ key }) => key));
  const keys = (await repository.keys()).filter((key) => !gone.has(key));
  const stay = keys.slice(-keep);
  const manifests = await Promise.all(stay.map((key) => repository.read(key)));
  const lines = new Set(manifests.map(({ line }) => line));
  // Pieces first: without their backups they would be a gap.
  for (const { key, line, to } of await piecesOf(repository)) {
    if (!lines.has(line) || (line === made.line && to <= made.position)) await store.remove(key);
  }
  for (const key of [...gone, ...keys.slice(0, -keep)]) await store.remove(key);
  const named = new Set(manifests.flatMap(({ segments }) => segments.map(({ key }) => key)));
  const orphaned = new Set(superseded.flatMap(({ segments }) => segments.map(({ key }) => key)));
  const before = (await store.now()) - hour;
  for (const start of ['log/', 'tmp/']) {
    for await (const { key, changed } of store.list(start)) {
      const isOurs = segmentKey.test(key) || start === 'tmp/';
      if (isOurs && !named.has(key) && (changed < before || orphaned.has(key))) await store.remove(key);
    }
  }
}

/** Removes the files of erased items, unless others name them, too. Those of earlier lines of history stay. */
async function removeErased(media: ObjectStore, log: LogReader): Promise<void> {
  const [named, erased] = [new Set<string>(), new Set<string>()];
  const isErased = goneByErasure();
  for (const stored of log.chain()) {
    if (!codec.naming.has(stored.type)) continue;
    const files = codec.files(codec.decode(stored), stored.stream);
    if (files === null) continue;
    const all = isErased(stored, files.of) ? erased : named;
    for (const { hash } of files.files) all.add(hash);
  }
  for (const hash of erased.difference(named)) await media.remove(fileKeyOf(hash));
}
