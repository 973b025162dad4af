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
  /** Only entries that were written before this position. */
  readonly before?: number | undefined;
}

/** An entry with the time of the last event that concerned it, ISO 8601 UTC: what it says of itself may lie in the future. */
export interface StandingEntry extends Entry {
  readonly changedAt: string;
}

export interface StandingPage {
  readonly entries: readonly StandingEntry[];
  /** Where to look on; null when all have been looked at. */
  readonly older: number | null;
}

const pageSize = 50;
/** Most entries that are folded for one page, whatever fits. */
const mostFolded = 1000;
/** Entries that are folded before the caller has its turn. */
const foldedAtOnce = 20;

/** What entries are folded from: the log, and deletions that reach into other streams. */
export interface StandingSource {
  readonly log: Pick<EventStore, 'read'>;
  readonly lost: Pick<Lost, 'users' | 'parents'>;
}

/** An entry as it stood at a position, but for terms and images that it lost with these; null when it did not stand. */
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
