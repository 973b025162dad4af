import { expect } from 'vitest';
import type { EntryFacts, EntryFields } from '#domain/entry/commands.ts';
import { createEntry, saveEntry, trashEntry } from '#domain/entry/decide.ts';
import type { EntryEvent } from '#domain/entry/events.ts';
import { type EntryKind, post } from '#domain/entry/kinds.ts';
import { type Entry, evolveEntry } from '#domain/entry/state.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';

export const now = { local: '2026-03-01T12:00:00', gmt: '2026-03-01T11:00:00' };
export const later = { local: '2026-03-02T12:00:00', gmt: '2026-03-02T11:00:00' };

/** Facts of a site with one user (1) who may publish, nothing else in it. */
export function facts(more: Partial<EntryFacts> = {}): EntryFacts {
  return {
    now,
    soon: '2026-03-01T11:01:00',
    nextId: 100,
    actor: 1,
    mayPublish: true,
    defaultCategory: 1,
    slugTaken: () => false,
    userExists: (id) => id < 10,
    entryExists: (id) => id < 100,
    lineage: (id) => [id],
    ...more,
  };
}

type Decision = readonly EntryEvent[] | Refusal;

/** given(events).when(decision).then(…) for entries. */
export function given(...history: EntryEvent[]) {
  const entry = evolveEntry(null, history);
  return {
    entry: entry as Entry,
    when: (act: (entry: Entry) => Decision) => outcome(act(entry as Entry), entry),
    saved: (fields: EntryFields, more: Partial<EntryFacts> = {}) =>
      outcome(
        saveEntry(entry as Entry, fields, facts({ now: later, soon: '2026-03-02T11:01:00', nextId: 101, ...more })),
        entry,
      ),
    trashed: (more: Partial<EntryFacts> = {}) =>
      outcome(trashEntry(entry as Entry, facts({ now: later, nextId: 101, ...more })), entry),
  };
}

/** What comes of writing a new entry. */
export function created(
  fields: EntryFields,
  { kind = post, ...more }: Partial<EntryFacts> & { kind?: EntryKind } = {},
) {
  return outcome(createEntry(kind, fields, facts(more)), null);
}

function outcome(decision: Decision, before: Entry | null) {
  return {
    /** The events, or a failed expectation. */
    events(): readonly EntryEvent[] {
      if (isRefusal(decision)) throw new Error(`refused: ${decision.code}`);
      return decision;
    },
    types(): string[] {
      return this.events().map((event) => event.type);
    },
    /** The entry afterwards. */
    state(): Entry {
      return evolveEntry(before, this.events()) as Entry;
    },
    refused(code: string): void {
      expect(isRefusal(decision) ? decision.code : decision).toBe(code);
    },
  };
}
