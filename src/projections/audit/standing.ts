import type { EntryFact } from '#domain/entry/state.ts';
import { type Entry, entryStream, evolveEntry } from '#domain/entry/state.ts';
import { codec } from '#domain/events.ts';
import type { EventStore } from '#eventstore/port.ts';
import { type Archive, search } from './search.ts';

/** Which entries are looked for among those that stood at a position. */
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
  /** The newest first. */
  readonly entries: readonly StandingEntry[];
  /** Where to look on; null when all have been looked at. */
  readonly older: number | null;
}

const pageSize = 50;
/** Most entries that are folded for one page, whatever fits. */
const mostFolded = 1000;
/** So many are folded between two turns of the caller. */
const foldedAtOnce = 20;

/** An entry as it stood at a position, but for terms and images that it lost with these; null when it did not stand. */
export function entryAt(id: number, position: number, log: Pick<EventStore, 'read'>): StandingEntry | null {
  let entry: Entry | null = null;
  let changedAt = '';
  for (const stored of log.read({ stream: entryStream(id) })) {
    if (stored.position > position) break;
    entry = evolveEntry(entry, [codec.decode(stored) as EntryFact]);
    changedAt = stored.at;
  }
  return entry === null ? null : { ...entry, changedAt };
}

/** Entries as they stood at a position, page by page, whatever became of them since. `pause` gives others their turn. */
export async function standingPage(
  { position, kind, status, before = position + 1 }: StandingQuery,
  { archive, pause }: { readonly archive: Archive; readonly pause: () => Promise<void> },
): Promise<StandingPage> {
  const entries: StandingEntry[] = [];
  let folded = 0;
  for (const created of search({ types: ['EntryCreated'], high: Math.min(position, before - 1) }, archive)) {
    if (created === null || folded % foldedAtOnce === foldedAtOnce - 1) await pause();
    if (created === null) continue;
    const entry = entryAt(Number(created.stream.slice('entry-'.length)), position, archive.log);
    folded += 1;
    const fits = (kind === undefined || entry?.kind === kind) && (status === undefined || entry?.status === status);
    if (entry !== null && fits) entries.push(entry);
    if (entries.length === pageSize || folded === mostFolded) return { entries, older: created.position };
  }
  return { entries, older: null };
}
