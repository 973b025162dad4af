import { setImmediate as turn } from 'node:timers/promises';
import { type ChainedEvent, commitHash, digestInParts, eventId, sealedDigest } from './chain.ts';
import {
  type Commit,
  type Conflict,
  CopyDiffers,
  type Head,
  type NewEvent,
  OutOfSequence,
  type Seal,
  type StoredEvent,
} from './port.ts';

const sealedAhead = new WeakMap<NewEvent, Seal>();
/** Texts of at least this many characters are sealed in advance, as many per turn: a millisecond of work. */
const LONG = 1 << 18;

/** Checks and seals long texts in turns, so that staging their commits is quick. */
export async function sealLong(commits: readonly Commit[], salt: () => string): Promise<void> {
  for (const event of commits.flatMap(({ events }) => events)) {
    const { sealed, seal } = event;
    if (sealed === null || sealed.length < LONG || seal !== undefined) continue;
    const own = salt();
    const digest = digestInParts(own);
    for (const part of partsOf(sealed)) {
      checkTexts([part]);
      digest.add(part);
      await turn();
    }
    sealedAhead.set(event, { salt: own, digest: digest.end() });
  }
}

function* partsOf(text: string): Iterable<string> {
  for (let from = 0; from < text.length; ) {
    const last = Math.min(from + LONG, text.length) - 1;
    const isWithin = last > from && last < text.length - 1 && isLead(text.charCodeAt(last));
    const to = isWithin ? last : last + 1;
    yield text.slice(from, to);
    from = to;
  }
}

function isLead(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** What staging needs to know of a log. */
export interface LogView {
  readonly head: Head;
  streamHead(stream: string): number;
  eventAt(position: number): StoredEvent | undefined;
  salt(): string;
}

/** Events that are ready to be written, and the head after them. */
export interface Staged {
  readonly events: readonly ChainedEvent[];
  readonly head: Head;
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Checks commits against a log and assigns position, revision, id, time and hash to their events. Nothing is written. For commits that
 * already follow `expectedPosition`, returns no events and the head after them.
 */
export function stage(commits: readonly Commit[], expectedPosition: number, log: LogView): Staged | Conflict {
  checkCommits(commits);
  if (expectedPosition !== log.head.position) {
    const head = headAfterRepeated(commits, expectedPosition, log);
    return head ? { events: [], head } : { conflict: true, position: log.head.position, stream: null };
  }
  const revisions = new Map<string, number>();
  const revisionOf = (stream: string) => {
    const revision = revisions.get(stream) ?? log.streamHead(stream);
    revisions.set(stream, revision);
    return revision;
  };
  const next = (stream: string) => {
    const revision = revisionOf(stream) + 1;
    revisions.set(stream, revision);
    return revision;
  };
  const events: ChainedEvent[] = [];
  let head = log.head;
  for (const commit of commits) {
    const stale = commit.expect?.find(({ stream, revision }) => revisionOf(stream) !== revision);
    if (stale) return { conflict: true, position: log.head.position, stream: stale.stream };
    if (commit.events.length === 0) continue;
    const recorded = record(commit, head, { next, salt: log.salt });
    // A commit may have more events than a call may have arguments.
    for (const event of recorded.events) events.push(event);
    head = recorded.head;
  }
  return { events, head };
}

interface Source {
  next(stream: string): number;
  salt(): string;
}

function record(commit: Commit, head: Head, source: Source): Staged {
  const { id, actor, correlationId, causationId } = commit;
  const n = commit.events.length;
  const at = head.at !== null && head.at > commit.at ? head.at : commit.at;
  const events = commit.events.map((event, i): ChainedEvent => {
    const { stream, type, v, data, sealed, seal } = event;
    const ahead = sealedAhead.get(event);
    const position = head.position + i + 1;
    const revision = source.next(stream);
    checkPlace(event, revision);
    const own = () => ahead ?? sealOf(sealed, source);
    const { salt, digest } = seal === undefined ? own() : checkedSeal(sealed, seal, position);
    return {
      position,
      stream,
      revision,
      type,
      v,
      id: eventId(id, i),
      commit: { id, i, n },
      at,
      actor,
      correlationId,
      causationId,
      data,
      sealed,
      salt,
      sealedDigest: digest,
      hash: null,
    };
  });
  const hash = commitHash(head.hash, events);
  if (commit.hash !== undefined && commit.hash !== hash) {
    throw new CopyDiffers(`Commit ${id} does not fit its hash`, head.position + 1);
  }
  return {
    events: events.map((event, i) => (i === n - 1 ? { ...event, hash } : event)),
    head: { position: head.position + n, hash, at },
  };
}

function checkPlace({ stream, type, begins }: NewEvent, revision: number): void {
  if (begins === undefined || begins === (revision === 1)) return;
  const is = revision === 1 ? 'does not exist' : `has ${revision - 1} events`;
  throw new OutOfSequence(`${type} cannot be event ${revision} of ${stream}: the stream ${is}`);
}

function sealOf(sealed: string | null, source: Source): { salt: string | null; digest: string | null } {
  if (sealed === null) return { salt: null, digest: null };
  const salt = source.salt();
  return { salt, digest: sealedDigest(salt, sealed) };
}

function checkedSeal(sealed: string | null, seal: Seal, position: number): Seal {
  const { salt, digest } = seal;
  const holds = sealed === null ? salt === null : salt !== null && sealedDigest(salt, sealed) === digest;
  if (!holds) throw new CopyDiffers('A sealed text does not fit its digest', position);
  return seal;
}

function headAfterRepeated(commits: readonly Commit[], position: number, log: LogView): Head | null {
  let head: Head | null = null;
  for (const { id, events } of commits) {
    if (events.length === 0) continue;
    const last = log.eventAt((head?.position ?? position) + events.length);
    if (last?.commit.id !== id || last.commit.n !== events.length || last.hash === null) return null;
    head = { position: last.position, hash: last.hash, at: last.at };
  }
  return head;
}

function checkCommits(commits: readonly Commit[]): void {
  const ids = new Set(commits.map(({ id }) => id));
  if (ids.size !== commits.length) throw new TypeError('A commit is given twice');
  commits.forEach(checkCommit);
}

/** Throws `TypeError` when a commit cannot be stored as given. */
export function checkCommit({ id, at, actor, correlationId, causationId, events }: Commit): void {
  // Times are compared as text, so only one format may be stored.
  if (!TIME.test(at)) throw new TypeError(`Not a UTC time with milliseconds: ${at}`);
  if (actor !== null && !Number.isSafeInteger(actor)) throw new TypeError('The actor is not an integer');
  checkTexts([id, correlationId, causationId]);
  events.forEach(checkEvent);
}

function checkEvent(event: NewEvent): void {
  if (!Number.isSafeInteger(event.v) || event.v < 1) throw new TypeError('The version is not a positive integer');
  checkTexts([event.stream, event.type, event.data, sealedAhead.has(event) ? null : event.sealed]);
}

/** UTF-8 cannot encode lone surrogates, and a NUL ends a text in many functions of SQLite. */
function checkTexts(texts: readonly (string | null)[]): void {
  for (const text of texts) {
    if (text === null) continue;
    if (!text.isWellFormed() || text.includes('\0')) throw new TypeError('A text holds a lone surrogate or NUL');
  }
}
