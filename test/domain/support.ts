import { expect } from 'vitest';
import type { EntryFacts, EntryFields, OwnAutosave } from '#domain/entry/commands.ts';
import { createEntry, saveEntry, trashEntry } from '#domain/entry/decide.ts';
import type { EntryEvent } from '#domain/entry/events.ts';
import { type EntryKind, post } from '#domain/entry/kinds.ts';
import { autosaveEntry, deleteRevision, revertEntry } from '#domain/entry/revising.ts';
import { newestFirst, type Revision, revisionChange } from '#domain/entry/revisions.ts';
import { type Entry, evolveEntry } from '#domain/entry/state.ts';
import { type RevisionTexts, someTextsOf, textsOf } from '#domain/entry/texts.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';

export const now = { local: '2026-03-01T12:00:00', gmt: '2026-03-01T11:00:00' };
export const later = { local: '2026-03-02T12:00:00', gmt: '2026-03-02T11:00:00' };

/** Facts of a site with users below 10 and entries below 100. */
export function facts(more: Partial<EntryFacts> = {}): EntryFacts {
  return {
    now,
    soon: '2026-03-01T11:01:00',
    nextId: 100,
    actor: 1,
    mayPublish: true,
    defaultCategory: 1,
    discussion: { commentStatus: 'open', pingStatus: 'open' },
    slugEndings: () => [],
    slugTaken: () => false,
    userExists: (id) => id < 10,
    entryExists: (id) => id < 100,
    isImage: () => false,
    lineage: (id) => [id],
    lastRevision: () => null,
    ...more,
  };
}

type Decision = readonly EntryEvent[] | Refusal;

/** given(events).when(decision).then(…) for entries. */
export function given(...history: EntryEvent[]) {
  const entry = evolveEntry(null, history);
  const revisions = revisionsIn(history);
  const then = (more: Partial<EntryFacts>) =>
    facts({
      ...{ now: later, soon: '2026-03-02T11:01:00', nextId: 101 },
      lastRevision: () => revisions.find(({ isAutosave }) => !isAutosave)?.texts ?? null,
      ...more,
    });
  return {
    entry: entry as Entry,
    /** Its revisions and autosaves, newest first. */
    revisions,
    when: (act: (entry: Entry) => Decision) => outcome(act(entry as Entry), entry),
    saved: (fields: EntryFields, more: Partial<EntryFacts> = {}) =>
      outcome(saveEntry(entry as Entry, fields, then(more)), entry),
    trashed: (more: Partial<EntryFacts> = {}) => outcome(trashEntry(entry as Entry, then(more)), entry),
    /** `autosave`: the actor’s existing one. */
    autosaved: (
      fields: EntryFields,
      { autosave = null, ...more }: Partial<EntryFacts> & { autosave?: OwnAutosave | null } = {},
    ) => outcome(autosaveEntry(entry as Entry, fields, { ...then(more), autosave }), entry),
    reverted: (id: number, more: Partial<EntryFacts> = {}) => {
      const restored = revisions.find((revision) => revision.id === id);
      if (restored === undefined) throw new Error(`there is no revision ${id}`);
      return outcome(revertEntry(entry as Entry, restored, then(more)), entry);
    },
    withoutRevision: (id: number) => {
      const exists = revisions.some((revision) => revision.id === id);
      return outcome(deleteRevision(id, { exists, newest: revisions }), entry);
    },
  };
}

function revisionsIn(history: readonly EntryEvent[]): readonly (Revision & { texts: RevisionTexts })[] {
  const kept = new Map<number, Revision & { texts: RevisionTexts }>();
  for (const [i, event] of history.entries()) {
    const change = revisionChange(event);
    if (change === null) continue;
    if ('dropped' in change) kept.delete(change.dropped);
    else
      kept.set(change.kept.id, {
        ...change.kept,
        texts: { ...textsAfter(history.slice(0, i + 1)), ...someTextsOf(event.data as Partial<RevisionTexts>) },
      });
  }
  return [...kept.values()].sort(newestFirst);
}

function textsAfter(history: readonly EntryEvent[]): RevisionTexts {
  return textsOf(evolveEntry(null, history) as Entry);
}

/** The outcome of creating an entry. */
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
