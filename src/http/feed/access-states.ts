import { codec } from '#catalogue/events.ts';
import type { EntryEvent } from '#domain/entry/events.ts';
import { kindOf } from '#domain/entry/kinds.ts';
import { mayRead, type Owned } from '#domain/entry/rights.ts';
import { concerns, type Entry, entryStream, evolveEntry } from '#domain/entry/state.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import type { Deletions } from '#projections/deletions/deletions.ts';
import { createStates } from './states.ts';

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
  EntryRevisionDeleted: 'nothing',
  EntryErased: 'nothing',
};

export function createAccessStates({ read, lost }: AccessStatesParts): AccessStates {
  const until = (state: Reached | null, position: number): Reached | null => {
    let now = state;
    for (const { event, position: at } of lost().users()) {
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
  readonly lost: () => Pick<Deletions, 'users' | 'parents'>;
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
