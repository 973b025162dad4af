import { LRUCache } from 'lru-cache';
import type { EntryEvent } from '#domain/entry/events.ts';
import type { Owned } from '#domain/entry/rights.ts';
import { type Entry, entryStream, evolveEntry } from '#domain/entry/state.ts';
import { codec } from '#domain/events.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';

/** What decides who may read an entry. */
export interface Standing extends Owned {
  readonly kind: string;
}

/** What an event of an entry changes: who may read it, something that its readers may notice, or nothing that is theirs. */
type Effect = 'rights' | 'looks' | 'nothing';

export interface Step {
  readonly before: Standing | null;
  readonly after: Standing | null;
  readonly effect: Effect;
}

export interface Standings {
  /** What an event did to its entry. */
  readonly step: (id: number, stored: StoredEvent) => Step;
}

interface Kept {
  readonly entry: Entry | null;
  readonly standing: Standing | null;
}

const effects: Readonly<Record<EntryEvent['type'], Effect>> = {
  EntryCreated: 'rights',
  EntryPublished: 'rights',
  EntryReleased: 'rights',
  EntryScheduled: 'rights',
  EntryMadePrivate: 'rights',
  EntrySubmitted: 'rights',
  EntrySentBackToDraft: 'rights',
  EntryTrashed: 'rights',
  EntryRestored: 'rights',
  EntryDeleted: 'rights',
  EntryAuthorChanged: 'rights',
  EntryRevised: 'looks',
  EntryRevisionKept: 'looks',
  EntryReverted: 'looks',
  EntrySlugChanged: 'looks',
  EntryDateChanged: 'looks',
  EntryPasswordChanged: 'looks',
  EntryStuck: 'looks',
  EntryUnstuck: 'looks',
  EntryClassified: 'looks',
  EntryMoved: 'looks',
  EntryOrphaned: 'looks',
  EntryDetailsChanged: 'looks',
  EntrySaved: 'looks',
  EntryAutosaved: 'nothing',
  EntryRevisionDeleted: 'nothing',
};

const NONE: Kept = { entry: null, standing: null };
/** A few hundred bytes each. */
const MOST_KEPT = 10_000;

/**
 * Who could read an entry before and after an event, folded from its stream. States are kept for a while, without
 * their texts: who reads the log in order needs the one from just before.
 */
export function createStandings(read: EventStore['read']): Standings {
  const known = new LRUCache<string, Kept>({ max: MOST_KEPT });

  function at(id: number, revision: number): Kept {
    if (revision === 0) return NONE;
    const key = `${id} ${revision}`;
    const kept = known.get(key) ?? fold(read({ stream: entryStream(id), to: revision }));
    known.set(key, kept);
    return kept;
  }

  return {
    step(id, stored) {
      const before = at(id, stored.revision - 1);
      const after = moved(before, stored);
      known.set(`${id} ${stored.revision}`, after);
      return { before: before.standing, after: after.standing, effect: effectOf(stored) };
    },
  };
}

function fold(events: Iterable<StoredEvent>): Kept {
  let kept = NONE;
  for (const stored of events) kept = moved(kept, stored);
  return kept;
}

function moved(before: Kept, stored: StoredEvent): Kept {
  if (effectOf(stored) !== 'rights') return before;
  const entry = evolveEntry(before.entry, [codec.decode(stored) as EntryEvent]);
  if (entry === null) return NONE;
  const { kind, status, author, trashed } = entry;
  const standing = { kind, status, author, statusBeforeTrash: trashed?.status ?? null };
  return { entry: { ...entry, title: '', content: '', excerpt: '', footnotes: '', password: '' }, standing };
}

function effectOf({ type }: StoredEvent): Effect {
  return effects[type as EntryEvent['type']] ?? 'nothing';
}
