import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { fieldChanges, isWritten, typesSetting } from './fields.ts';
import type { History } from './history.ts';
import type { Marks, TrailTable } from './trail.ts';
import { isInWordIndex, type WordIndex } from './word-index.ts';
import { bringsWords } from './words.ts';

/** Which events to find; all given conditions must hold. */
export interface AuditQuery extends Marks {
  /** Only this stream. */
  readonly stream?: string | undefined;
  /** First and last position. Default: no limit. */
  readonly low?: number | undefined;
  readonly high?: number | undefined;
  /** Only events that changed this field. */
  readonly field?: string | undefined;
  /** Only events in whose old or new texts all of these occur; folded. */
  readonly words?: readonly string[] | undefined;
  /** Only events for which this holds. */
  readonly holds?: ((event: StoredEvent) => boolean) | undefined;
  /** Default: newest first. */
  readonly direction?: 'forwards' | 'backwards' | undefined;
}

export interface Archive {
  readonly log: Pick<EventStore, 'read' | 'head'> & History;
  /** Null without projections: then the whole log is read, which is slow. */
  readonly trail: Pick<TrailTable, 'position' | 'find'> | null;
  /** The log with whole texts, if that of `log` are cut. */
  readonly whole?: History;
  /** Where words and changed fields are, up to a position; absent: everything is read. */
  readonly words?: Pick<WordIndex, 'position' | 'find'> | undefined;
}

/** An archive whose log is read in brief. Its trail may be replaced meanwhile. */
export function inBrief(archive: Archive): Archive {
  const { read, head } = archive.log;
  return {
    whole: archive.log,
    words: archive.words,
    log: { setters: archive.log.setters, read: (query) => read({ ...query, sealed: 'brief' }), head },
    get trail() {
      return archive.trail;
    },
  };
}

/** Events searched before the caller gets a turn: a few milliseconds. */
const stretch = 100_000;
/** The same when whole events have to be read. */
const stretchOfLog = 1000;

/**
 * Yields the events that match a query, in order, and regularly null while it is still searching, so that the caller can let other work
 * run. What the projections do not show yet is read from the log.
 */
export function* search(query: AuditQuery, archive: Archive): Generator<StoredEvent | null> {
  const { field, words, holds } = query;
  if (field === undefined && words === undefined && holds === undefined) return yield* candidates(query, archive);
  const log = archive.whole ?? archive.log;
  let until = performance.now() + share;
  for (const event of candidates(query, archive)) {
    if (event === null || fits(event, query, log)) yield event;
    else if (performance.now() > until) yield null;
    if (performance.now() > until) until = performance.now() + share;
  }
}

/** Milliseconds of reading before the caller gets a turn. */
const share = 5;

function fits(brief: StoredEvent, { field, words, holds }: AuditQuery, log: History): boolean {
  if (holds?.(brief) === false) return false;
  if (field === undefined && words === undefined) return true;
  const [event = brief] = log.read({ from: brief.position, limit: 1 });
  if (field !== undefined && fieldChanges(event, log, new Set([field])).length === 0) return false;
  return words === undefined || bringsWords(event, words, log);
}

function* candidates(query: AuditQuery, archive: Archive): Generator<StoredEvent | null> {
  const { log, trail } = archive;
  if (query.stream !== undefined) return yield* inStream(query.stream, query, log);
  const low = Math.max(1, query.low ?? 1);
  const high = Math.min(log.head().position, query.high ?? Number.POSITIVE_INFINITY);
  const { actor, types, correlationId, correlationIds, field, words } = query;
  const isMarked = [actor, types, correlationId, correlationIds, field, words].some((mark) => mark !== undefined);
  const known = isMarked && trail !== null ? Math.min(high, trail.position()) : 0;
  const parts = [
    () => marked(query, { low, high: known }, archive),
    () => inLog(query, { low: Math.max(low, known + 1), high }, log),
  ];
  for (const part of isBackwards(query) ? parts.reverse() : parts) yield* part();
}

interface Bounds {
  readonly low: number;
  readonly high: number;
}

function* inStream(stream: string, query: AuditQuery, log: Archive['log']): Generator<StoredEvent | null> {
  const direction = query.direction ?? 'backwards';
  const { low = 1, high = Number.POSITIVE_INFINITY } = query;
  for (const event of log.read({ stream, direction })) {
    if (event.position >= low && event.position <= high && bears(event, query)) yield event;
  }
}

// The trail is fetched again each time: it may have been replaced during the caller's turn.
function* marked(query: AuditQuery, bounds: Bounds, archive: Archive): Generator<StoredEvent | null> {
  for (const { low, high } of stretches(bounds, stretch, isBackwards(query))) {
    for (const position of positionsIn({ low, high }, query, archive)) {
      yield* archive.log.read({ from: position, limit: 1 });
    }
    yield null;
  }
}

/** Positions that may match; what the index of words knows is narrowed by it. */
function positionsIn({ low, high }: Bounds, query: AuditQuery, { trail, words: index }: Archive): readonly number[] {
  const { field, words, actor, types, correlationId, correlationIds } = query;
  const others = { actor, types, correlationId, correlationIds };
  const backwards = isBackwards(query);
  const known = index !== undefined && isInWordIndex(query) ? Math.min(high, index.position()) : 0;
  const inTrail = (from: number) => trail?.find({ low: from, high, backwards }, marksOf(query)) ?? [];
  if (index === undefined || known < low) return inTrail(low);
  const found = index.find({ words, field }, { low, high: known });
  const isNarrower = Object.values(others).some((one) => one !== undefined);
  const marked = isNarrower && found.length > 0 ? new Set(trail?.find({ low, high: known, backwards }, others)) : null;
  const narrowed = marked === null ? found : found.filter((position) => marked.has(position));
  const rest = known < high ? inTrail(known + 1) : [];
  return backwards ? [...rest, ...narrowed.reverse()] : [...narrowed, ...rest];
}

function* inLog(query: AuditQuery, bounds: Bounds, log: Archive['log']): Generator<StoredEvent | null> {
  const backwards = isBackwards(query);
  for (const { low, high } of stretches(bounds, stretchOfLog, backwards)) {
    const range = backwards ? { from: high, to: low } : { from: low, to: high };
    for (const event of log.read({ ...range, direction: backwards ? 'backwards' : 'forwards' })) {
      if (bears(event, query)) yield event;
    }
    yield null;
  }
}

function* stretches({ low, high }: Bounds, length: number, backwards: boolean): Generator<Bounds> {
  if (backwards) {
    for (let end = high; end >= low; end -= length) yield { low: Math.max(low, end - length + 1), high: end };
  } else {
    for (let start = low; start <= high; start += length)
      yield { low: start, high: Math.min(high, start + length - 1) };
  }
}

function bears(event: StoredEvent, query: AuditQuery): boolean {
  const { actor, types, correlationId, correlationIds } = marksOf(query);
  if (actor !== undefined && event.actor !== actor) return false;
  if (correlationId !== undefined && event.correlationId !== correlationId) return false;
  if (correlationIds !== undefined && !correlationIds.includes(event.correlationId)) return false;
  return types === undefined || types.includes(event.type);
}

/** What the trail can look for; of a field and of words, only the types of events that may have them. */
function marksOf({ actor, types, correlationId, correlationIds, field, words }: AuditQuery): Marks {
  const setting = field !== undefined ? typesSetting(field) : words !== undefined ? writing : undefined;
  const both = setting === undefined ? types : (types?.filter((type) => setting.includes(type)) ?? setting);
  return { actor, types: both, correlationId, correlationIds };
}

const writing: readonly string[] = typesSetting(isWritten);

function isBackwards({ direction }: AuditQuery): boolean {
  return direction !== 'forwards';
}
