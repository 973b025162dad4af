import type { EntryFields } from '#domain/entry/commands.ts';
import { kindOf } from '#domain/entry/kinds.ts';
import * as revising from '#domain/entry/revising.ts';
import { entryStream } from '#domain/entry/state.ts';
import type { RevisionTexts } from '#domain/entry/texts.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { type RevisionRow, revisions } from '#projections/entries/revisions.ts';
import { factsFor, load, stageEntry } from './entries.ts';
import type { Session } from './session.ts';

/** Saves what the viewer is writing. Returns their autosave, or null if the entry itself was saved. */
export function autosaveEntry(session: Session, id: number, fields: EntryFields): RevisionRow | null | Refusal {
  const entry = load(session, id);
  const facts = factsFor(session, kindOf(entry.kind), id);
  const own = session.of(revisions).autosave(id, facts.actor);
  const autosave = own === undefined ? null : { id: own.id, texts: session.revisionTexts(own) };
  const events = revising.autosaveEntry(entry, fields, { ...facts, autosave });
  if (isRefusal(events)) return events;
  session.stage(entryStream(id), events);
  return revising.isOwnDraft(entry, facts.actor) ? null : (session.of(revisions).autosave(id, facts.actor) ?? null);
}

export function deleteRevision(session: Session, { id, parent }: RevisionRow): void {
  const known = session.of(revisions);
  const kept = { exists: known.row(id)?.parent === parent, newest: known.newest(parent, 2) };
  session.stage(entryStream(parent), revising.deleteRevision(id, kept));
}

/** Restores an entry to the texts of a revision. `texts` may be less than the revision holds, where the viewer may not store all of it. */
export function revertEntry(session: Session, { id, parent }: RevisionRow, texts: RevisionTexts): Refusal | null {
  const entry = load(session, parent);
  const facts = factsFor(session, kindOf(entry.kind), parent);
  return stageEntry(session, parent, revising.revertEntry(entry, { id, texts }, facts));
}
