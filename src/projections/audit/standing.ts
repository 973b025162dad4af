import type { EntryFact } from '#domain/entry/state.ts';
import { concerns, type Entry, entryStream, evolveEntry } from '#domain/entry/state.ts';
import { codec } from '#domain/events.ts';
import type { EventStore } from '#eventstore/port.ts';
import type { Lost } from '../lost.ts';
import { type Archive, search } from './search.ts';

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
}

export interface StandingPage {
  readonly entries: readonly StandingEntry[];
  /** Where to continue; null when all have been examined. */
  readonly older: number | null;
}

const pageSize = 50;
/** Maximum number of entries folded for one page, even if too few match. */
const mostFolded = 1000;
/** Entries folded before the caller gets a turn. */
const foldedAtOnce = 20;

/** Sources for folding entries: the log, and deletions that affect other streams. */
export interface StandingSource {
  readonly log: Pick<EventStore, 'read'>;
  readonly lost: Pick<Lost, 'users' | 'parents'>;
}

/** An entry as of a position, except for deleted terms and images, which it still has; null when it did not exist. */
export function entryAt(id: number, position: number, { log, lost }: StandingSource): StandingEntry | null {
  let entry: Entry | null = null;
  let changedAt = '';
  let touched = 0;
  const lose = (until: number) => {
    const above = entry === null || entry.parent === 0 ? [] : lost.parents([entry.parent]);
    const all = [...lost.users(), ...above].sort((a, b) => a.position - b.position);
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
    ({ at: changedAt, position: touched } = stored);
  }
  lose(position);
  return entry === null ? null : { ...(entry as Entry), changedAt };
}

interface StandingParts extends Pick<StandingSource, 'lost'> {
  readonly archive: Archive;
  readonly pause: () => Promise<void>;
}

export async function standingPage(
  { position, kind, status, before = position + 1 }: StandingQuery,
  { archive, lost, pause }: StandingParts,
): Promise<StandingPage> {
  const entries: StandingEntry[] = [];
  let folded = 0;
  for (const created of search({ types: ['EntryCreated'], high: Math.min(position, before - 1) }, archive)) {
    if (created === null || folded % foldedAtOnce === foldedAtOnce - 1) await pause();
    if (created === null) continue;
    const entry = entryAt(Number(created.stream.slice('entry-'.length)), position, { log: archive.log, lost });
    folded += 1;
    const fits = (kind === undefined || entry?.kind === kind) && (status === undefined || entry?.status === status);
    if (entry !== null && fits) entries.push(entry);
    if (entries.length === pageSize || folded === mostFolded) return { entries, older: created.position };
  }
  return { entries, older: null };
}
