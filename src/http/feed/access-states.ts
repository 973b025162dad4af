import { LRUCache } from 'lru-cache';
import { codec } from '#catalogue/events.ts';
import type { EntryEvent } from '#domain/entry/events.ts';
import { kindOf } from '#domain/entry/kinds.ts';
import { mayRead, type Owned } from '#domain/entry/rights.ts';
import { concerns, type Entry, entryStream, evolveEntry } from '#domain/entry/state.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import type { Deletions } from '#projections/deletions/deletions.ts';

export interface AccessState extends Owned {
  readonly kind: string;
  readonly isProtected: boolean;
  /** Position at which it was last moved to the trash; 0: never. */
  readonly trashedAt: number;
}

/** What an event of an entry changes: who may read it, something that readers may notice, or nothing that concerns them. */
type Effect = 'rights' | 'looks' | 'nothing';

export interface AccessStep {
  readonly before: AccessState | null;
  readonly after: AccessState | null;
  readonly effect: Effect;
}

export interface AccessStates {
  readonly step: (id: number, stored: StoredEvent) => AccessStep;
  /** The standing at a position of the log; null if the entry did not exist. */
  readonly asOf: (id: number, position: number) => AccessState | null;
}

/** States of items of one kind at events of their streams; null: the item does not exist. */
export interface FeedStates<S> {
  /** After an event of the stream; revision 0: before the first. */
  readonly at: (id: number, revision: number) => S | null;
  readonly after: (id: number, stored: StoredEvent) => S | null;
  readonly asOf: (id: number, position: number) => S | null;
}

export interface StatesOptions<S> {
  readonly read: EventStore['read'];
  readonly streamOf: (id: number) => string;
  /** The state after an event; small, because many are cached. */
  readonly move: (state: S | null, stored: StoredEvent) => S | null;
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
  EntryPasswordChanged: 'rights',
  EntryStuck: 'looks',
  EntryUnstuck: 'looks',
  EntryClassified: 'looks',
  EntryTermsChanged: 'looks',
  EntryMoved: 'looks',
  EntryOrphaned: 'looks',
  EntryDetailsChanged: 'looks',
  EntryProductChanged: 'looks',
  EntryPatternChanged: 'looks',
  EntryMenuItemChanged: 'looks',
  EntrySaved: 'looks',
  EntryAutosaved: 'nothing',
  EntryRevisionImported: 'nothing',
  EntryRevisionDeleted: 'nothing',
  EntryErased: 'nothing',
};

/** Cached states, of a few hundred bytes each. As a size, because a maximum number of entries reserves the memory at once. */
const MAX_KEPT = 10_000;

export function createAccessStates({ read, deletions }: AccessStatesParts): AccessStates {
  const until = (state: Reached | null, position: number): Reached | null => {
    let now = state;
    for (const { event, position: at } of deletions().users()) {
      if (now === null || at <= now.at || at > position || !concerns(now.entry, event)) continue;
      const entry = evolveEntry(now.entry, [event]);
      now = entry && { entry, at, trashedAt: event.data.heir === 0 ? at : now.trashedAt };
    }
    return now;
  };
  const move = (before: Reached | null, stored: StoredEvent): Reached | null => {
    if (effectOf(stored) !== 'rights') return before;
    const now = until(before, stored.position);
    const entry = evolveEntry(now?.entry ?? null, [codec.decode(stored) as EntryEvent]);
    if (entry === null) return null;
    const password = entry.password === '' ? '' : PROTECTED;
    const texts = { title: '', content: '', excerpt: '', footnotes: '', password };
    const { position: at } = stored;
    const trashedAt = stored.type === ('EntryTrashed' satisfies EntryEvent['type']) ? at : (now?.trashedAt ?? 0);
    return { entry: { ...entry, ...texts }, at, trashedAt };
  };
  const entries = createStates({ read, streamOf: entryStream, move });
  return {
    step: (id, stored) => ({
      before: accessStateOf(until(entries.at(id, stored.revision - 1), stored.position)),
      after: accessStateOf(until(entries.after(id, stored), stored.position)),
      effect: effectOf(stored),
    }),
    asOf: (id, position) => accessStateOf(until(entries.asOf(id, position), position)),
  };
}

/** Sources of access states: the log, and deletions that affect other streams. */
export interface AccessStatesParts {
  readonly read: EventStore['read'];
  readonly deletions: () => Pick<Deletions, 'users' | 'parents'>;
}

interface Reached {
  readonly entry: Entry;
  readonly at: number;
  readonly trashedAt: number;
}

/** In place of a password. */
const PROTECTED = '*';

export function isReadable(viewer: Viewer, standing: AccessState | null): boolean {
  return standing !== null && mayRead(viewer, kindOf(standing.kind), standing);
}

function accessStateOf(state: Reached | null): AccessState | null {
  if (state === null) return null;
  const { kind, status, author, trashed, password } = state.entry;
  const { trashedAt } = state;
  return { kind, status, author, statusBeforeTrash: trashed?.status ?? null, isProtected: password !== '', trashedAt };
}

function effectOf({ type }: StoredEvent): Effect {
  return effects[type as EntryEvent['type']] ?? 'nothing';
}

/** Folds states from the log and caches them: reading the log in order needs the state just before. */
export function createStates<S>({ read, streamOf, move }: StatesOptions<S>): FeedStates<S> {
  const known = new LRUCache<string, { readonly state: S | null }>({ maxSize: MAX_KEPT, sizeCalculation: () => 1 });

  function at(id: number, revision: number): S | null {
    if (revision === 0) return null;
    const key = `${id} ${revision}`;
    let kept = known.get(key);
    if (kept === undefined) {
      let state: S | null = null;
      for (const stored of read({ stream: streamOf(id), to: revision })) state = move(state, stored);
      kept = { state };
      known.set(key, kept);
    }
    return kept.state;
  }

  return {
    at,
    after(id, stored) {
      const state = move(at(id, stored.revision - 1), stored);
      known.set(`${id} ${stored.revision}`, { state });
      return state;
    },
    asOf: (id, position) => at(id, revisionAt(read, streamOf(id), position)),
  };
}

function revisionAt(read: EventStore['read'], stream: string, position: number): number {
  const [last] = read({ stream, direction: 'backwards', limit: 1 });
  let [low, high] = [0, last?.revision ?? 0];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const [event] = read({ stream, from: middle, to: middle });
    if (event !== undefined && event.position <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}
