import { codec } from '#catalogue/events.ts';
import { concerns, type Entry, type EntryFact, entryStream, evolveEntry } from '#domain/entry/state.ts';
import type { EventStore } from '#eventstore/port.ts';
import type { Deletions } from '../deletions/deletions.ts';
import { type Archive, inBrief, search } from './search.ts';
import { briefly } from './texts.ts';

export interface StandingQuery {
  readonly position: number;
  readonly kind?: string | undefined;
  readonly status?: string | undefined;
  /** Only entries that were created before this position. */
  readonly before?: number | undefined;
}

/** An entry with the time of the last event that affected it, ISO 8601 UTC: its own dates may lie in the future. */
export interface StandingEntry extends Entry {
  readonly changedAt: string;
  /** Of its stream: the last event that it contains. */
  readonly revision: number;
}

export interface StandingPage {
  readonly entries: readonly StandingEntry[];
  /** Where to continue; null when all have been examined. */
  readonly older: number | null;
}

const pageSize = 50;
/** Maximum number of entries folded for one page, even if too few match. */
const maxFolded = 1000;
/** Milliseconds of folding before the caller gets a turn. */
const share = 10;

/** Sources for folding entries: the log, and deletions that affect other streams. */
export interface StandingSource {
  readonly log: Pick<EventStore, 'read'>;
  readonly deletions: Pick<Deletions, 'users' | 'parents'>;
  readonly pause: () => Promise<void>;
}

/**
 * An entry as of a position, in brief, except for deleted terms and images, which it still has; null when it did not exist. `pause` is
 * awaited between events.
 */
export async function entryAt(
  id: number,
  position: number,
  { log: whole, deletions, pause }: StandingSource,
): Promise<StandingEntry | null> {
  const log = briefly(whole);
  let entry: Entry | null = null;
  let changedAt = '';
  let touched = 0;
  let revision = 0;
  let until = performance.now() + share;
  const lose = (until: number) => {
    const above = entry === null || entry.parent === 0 ? [] : deletions.parents([entry.parent]);
    const all = [...deletions.users(), ...above].sort((a, b) => a.position - b.position);
    for (const { event, position: at } of all) {
      if (entry === null || at <= touched || at > until || !concerns(entry, event)) continue;
      entry = evolveEntry(entry, [event]);
      [{ at: changedAt } = { at: changedAt }] = log.read({ from: at, limit: 1 });
    }
  };
  for (const stored of log.read({ stream: entryStream(id) })) {
    if (stored.position > position) break;
    lose(stored.position);
    entry = evolveEntry(entry, [codec.decode(stored) as EntryFact]);
    ({ at: changedAt, position: touched, revision } = stored);
    if (performance.now() < until) continue;
    await pause();
    until = performance.now() + share;
  }
  lose(position);
  return entry === null ? null : { ...(entry as Entry), changedAt, revision };
}

interface StandingParts extends Pick<StandingSource, 'deletions' | 'pause'> {
  readonly archive: Archive;
}

export async function standingPage(
  { position, kind, status, before = position + 1 }: StandingQuery,
  { archive, deletions, pause }: StandingParts,
): Promise<StandingPage> {
  const entries: StandingEntry[] = [];
  let folded = 0;
  let until = performance.now() + share;
  for (const created of search({ types: ['EntryCreated'], high: Math.min(position, before - 1) }, inBrief(archive))) {
    if (created === null || performance.now() > until) {
      await pause();
      until = performance.now() + share;
    }
    if (created === null) continue;
    const entry = await entryAt(Number(created.stream.slice('entry-'.length)), position, {
      log: archive.log,
      deletions,
      pause,
    });
    folded += 1;
    const fits = (kind === undefined || entry?.kind === kind) && (status === undefined || entry?.status === status);
    if (entry !== null && fits) entries.push(entry);
    if (entries.length === pageSize || folded === maxFolded) return { entries, older: created.position };
  }
  return { entries, older: null };
}
