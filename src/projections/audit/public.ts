import { codec } from '#catalogue/events.ts';
import { type Entry, type EntryFact, entryStream, evolveEntry } from '#domain/entry/state.ts';
import type { UserDeletedEvent } from '#domain/user/events.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import type { PublicationTable } from './publications.ts';
import { publishing } from './publications.ts';
import { type Archive, inBrief, search } from './search.ts';
import { briefly } from './texts.ts';

/** Something that happened to an entry, or to its author. */
export interface PublicStep {
  readonly position: number;
  /** First position of its commit: between the events of a commit nobody saw anything. */
  readonly commit: number;
  /** UTC, ISO 8601 with milliseconds. */
  readonly at: string;
  readonly actor: number | null;
  readonly fact: EntryFact;
  /** What it said under seal is gone, a password among it. */
  readonly isErased?: boolean;
}

export interface PublicEdge extends Omit<PublicStep, 'fact' | 'commit' | 'isErased'> {
  readonly reason: string;
}

/** A time in which everybody could read an entry; `to` is null if it still could at the end. */
export interface PublicSpan {
  readonly from: PublicEdge;
  readonly to: PublicEdge | null;
}

/** When an entry was public: published and without a password, as far as it is known whether it had one. Pure; `steps` in order. */
export function publicSpans(steps: readonly PublicStep[]): readonly PublicSpan[] {
  const spans: PublicSpan[] = [];
  let entry: Entry | null = null;
  let open: PublicEdge | null = null;
  let latest: PublicEdge | null = null;
  let isUnsure = false;
  for (const [i, { fact, commit, isErased = false, ...when }] of steps.entries()) {
    if (isErased || fact.type === 'EntryPasswordChanged') isUnsure = isErased;
    const before: Entry | null = entry;
    entry = evolveEntry(entry, [fact]);
    if (isPublic(entry) !== isPublic(before)) {
      const reason = reasonOf(fact, before, entry);
      latest = {
        ...when,
        reason: isUnsure && isPublic(entry) ? `${reason}; its password, if any, was erased` : reason,
      };
    }
    if (steps[i + 1]?.commit === commit || isPublic(entry) === (open !== null) || latest === null) continue;
    if (open !== null) spans.push({ from: open, to: latest });
    open = isPublic(entry) ? latest : null;
  }
  return open === null ? spans : [...spans, { from: open, to: null }];
}

function isPublic(entry: Entry | null): boolean {
  return entry !== null && entry.status === 'publish' && entry.password === '';
}

const reasons: Readonly<Record<string, string>> = {
  EntryCreated: 'written and published',
  EntryPublished: 'published',
  EntryReleased: 'published, as scheduled',
  EntryScheduled: 'scheduled for later',
  EntryMadePrivate: 'made private',
  EntrySubmitted: 'submitted for review',
  EntrySentBackToDraft: 'made a draft again',
  EntryTrashed: 'moved to the trash',
  EntryDeleted: 'deleted for good',
  UserDeleted: 'moved to the trash, as its author’s account was deleted',
};

function reasonOf({ type }: EntryFact, before: Entry | null, after: Entry | null): string {
  if (type === 'EntryPasswordChanged') return after?.password === '' ? 'password removed' : 'password set';
  if (type === 'EntryPublished' && before?.trashed != null) return 'taken out of the trash';
  return reasons[type] ?? 'changed';
}

export interface PublicQuery {
  readonly low: number;
  readonly high: number;
  /** Only entries with a lower number. */
  readonly before: number;
  readonly limit: number;
  readonly entry?: number | undefined;
}

export interface PublicSource {
  readonly archive: Archive;
  /** Null: the log is searched, which is slow. */
  readonly publications: Pick<PublicationTable, 'find' | 'position'> | null;
  readonly deletedUsers: () => readonly { readonly position: number; readonly event: UserDeletedEvent }[];
  readonly pause: () => Promise<void>;
}

export interface PublicEntry {
  readonly id: number;
  /** Those that overlap the period; none, for an entry that was asked for: it was not public, or only behind a password. */
  readonly spans: readonly PublicSpan[];
}

export interface PublicPage {
  readonly entries: readonly PublicEntry[];
  /** Where to continue; null at the end. */
  readonly next: number | null;
}

/** Milliseconds of folding before the caller gets a turn. */
const share = 10;

/** What was public at any time between two positions, by number of the entry, the highest first. */
export async function publicBetween(query: PublicQuery, source: PublicSource): Promise<PublicPage> {
  const { archive, pause } = source;
  const ids = await candidates(query, source);
  const users = source.deletedUsers();
  const entries: PublicEntry[] = [];
  let until = performance.now() + share;
  for (const id of ids.slice(0, query.limit)) {
    const steps = stepsOf(id, query.high, { log: archive.log, users });
    const overlaps = ({ to }: PublicSpan) => to === null || to.position > query.low;
    const spans = publicSpans(steps).filter(overlaps);
    // Whoever asks for a number is told that it was not public.
    if (spans.length > 0 || (query.entry !== undefined && steps.length > 0)) entries.push({ id, spans });
    if (performance.now() < until) continue;
    await pause();
    until = performance.now() + share;
  }
  return { entries, next: ids.length > query.limit ? (ids[query.limit - 1] ?? null) : null };
}

async function candidates(
  { low, high, before, limit, entry }: PublicQuery,
  { archive, publications, pause }: PublicSource,
): Promise<readonly number[]> {
  if (entry !== undefined) return entry < before ? [entry] : [];
  const known = Math.min(high, publications?.position() ?? 0);
  const found = new Set(publications?.find({ low, high: known, before, limit: limit + 1 }) ?? []);
  for (const event of search({ types: publishing, low: known + 1, high }, inBrief(archive))) {
    if (event === null) await pause();
    else if (Number(event.stream.slice('entry-'.length)) < before)
      found.add(Number(event.stream.slice('entry-'.length)));
  }
  return [...found].sort((a, b) => b - a).slice(0, limit + 1);
}

/** Whether an event may have set a password that nobody knows any more. */
function isErasedPassword({ type, sealed }: StoredEvent): boolean {
  return sealed === null && (type === 'EntryCreated' || type === 'EntryPasswordChanged');
}

interface Deleted {
  readonly log: Pick<EventStore, 'read'>;
  readonly users: ReturnType<PublicSource['deletedUsers']>;
}

/** The events of an entry up to a position, with the deletions of accounts between them. */
function stepsOf(id: number, high: number, { log, users }: Deleted): readonly PublicStep[] {
  const steps: PublicStep[] = [];
  for (const stored of briefly(log).read({ stream: entryStream(id) })) {
    if (stored.position > high) break;
    const { position, at, actor, commit } = stored;
    steps.push({
      position,
      commit: position - commit.i,
      at,
      actor,
      fact: codec.decode(stored) as EntryFact,
      isErased: isErasedPassword(stored),
    });
  }
  const [first] = steps;
  const losses = users.filter(({ position }) => position > (first?.position ?? high) && position <= high);
  for (const { position, event: fact } of losses) {
    for (const { at, actor, commit } of log.read({ from: position, limit: 1 })) {
      steps.push({ position, commit: position - commit.i, at, actor, fact });
    }
  }
  return losses.length === 0 ? steps : steps.sort((a, b) => a.position - b.position);
}
