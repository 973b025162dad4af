import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { EntryFacts, EntryFields, OwnAutosave } from './commands.ts';
import { difference } from './difference.ts';
import type { EntryEvent } from './events.ts';
import { kindOf } from './kinds.ts';
import { checkFields, checkTexts, type PlannedEntry, planEntry, trimTitle } from './plan.ts';
import type { Entry } from './state.ts';
import { alikeTexts, changedTexts, type RevisionTexts, sameTexts, textNames, textsOf } from './texts.ts';

/** Facts for an autosave. `autosave`: the actor's existing autosave of the entry. */
export interface AutosaveFacts extends EntryFacts {
  readonly autosave: OwnAutosave | null;
}

/**
 * The events for changed texts, and whether the save creates a revision (interface behaviour, section 19): always if there is none yet,
 * otherwise if a text differs from the last revision in more than white space. Some kinds have no revisions.
 */
export function revisionEvents(
  before: Entry,
  after: PlannedEntry,
  { nextId, lastRevision }: Pick<EntryFacts, 'nextId' | 'lastRevision'>,
): EntryEvent[] {
  if (!kindOf(before.kind).features.has('revisions')) return silentEvents(before, after);
  const last = lastRevision();
  const isEmptied = after.emptiedFootnotes && !before.emptiedFootnotes;
  const leavesRevision = last === null || isEmptied || !alikeTexts(last, after);
  if (!sameTexts(before, after)) return [revised(before, after, leavesRevision ? nextId : null)];
  return leavesRevision ? [{ type: 'EntryRevisionKept', data: { revision: nextId, ...saved(after) } }] : [];
}

function silentEvents(before: Entry, after: PlannedEntry): EntryEvent[] {
  return sameTexts(before, after) ? [] : [revised(before, after, null)];
}

function revised(before: Entry, after: PlannedEntry, revision: number | null): EntryEvent {
  return { type: 'EntryRevised', data: { revision, ...saved(after), ...changedTexts(before, after) } };
}

function saved({ modified, modifiedGmt }: PlannedEntry) {
  return { modified, modifiedGmt };
}

/** Restores the texts of a revision as a new revision; no events if they are current. */
export function revertEntry(
  entry: Entry,
  restored: { readonly id: number; readonly texts: RevisionTexts },
  { now, nextId }: Pick<EntryFacts, 'now' | 'nextId'>,
): readonly EntryEvent[] | Refusal {
  if (sameTexts(entry, restored.texts)) return [];
  const refusal = checkTexts(kindOf(entry.kind), restored.texts);
  if (refusal !== null) return refusal;
  const saved = { modified: now.local, modifiedGmt: now.gmt };
  const data = { revision: nextId, restored: restored.id, ...saved, ...textsOf(restored.texts) };
  return [{ type: 'EntryReverted', data }];
}

/** Deletes a revision or autosave of an entry; no events if the entry has no such revision. */
export function deleteRevision(id: number, { exists, newest }: KeptRevisions): readonly EntryEvent[] {
  if (!exists) return [];
  const latest = newest.find((revision) => revision.id !== id);
  const data = { revision: id, latest: latest?.id ?? 0, latestGmt: latest?.dateGmt ?? '' };
  return [{ type: 'EntryRevisionDeleted', data }];
}

interface KeptRevisions {
  /** Whether the entry has the revision. */
  readonly exists: boolean;
  /** At least the two newest of the entry, in this order. */
  readonly newest: readonly { readonly id: number; readonly dateGmt: string }[];
}

/**
 * Autosaves an entry (interface behaviour, section 20): changes the actor's own draft itself, without a revision; for any other entry only
 * stores the texts beside it.
 */
export function autosaveEntry(
  entry: Entry,
  fields: EntryFields,
  facts: AutosaveFacts,
): readonly EntryEvent[] | Refusal {
  if (!isOwnDraft(entry, facts.actor))
    return checkFields(kindOf(entry.kind), entry, fields, facts) ?? besideEvents(entry, fields, facts);
  const planned = planEntry(kindOf(entry.kind), entry, fields, facts);
  return isRefusal(planned) ? planned : difference(entry, planned, silentEvents(entry, planned));
}

export function isOwnDraft({ status, author }: Pick<Entry, 'status' | 'author'>, actor: number): boolean {
  return status === 'draft' && author === actor && actor !== 0;
}

/** Texts that equal the entry leave an existing autosave unchanged, but still create a first one. */
function besideEvents(entry: Entry, fields: EntryFields, facts: AutosaveFacts): readonly EntryEvent[] {
  const { autosave, now, nextId } = facts;
  const before: RevisionTexts = autosave?.texts ?? { title: '', content: '', excerpt: '', footnotes: '' };
  // Footnotes accompany the content: without them its footnote marks would have no target.
  const { footnotes = (autosave?.texts ?? entry).footnotes } = fields;
  const { content = before.content, excerpt = before.excerpt } = fields;
  const title = fields.title === undefined ? before.title : trimTitle(fields.title);
  const texts: RevisionTexts = { title, content, excerpt, footnotes };
  const sent = textNames.filter((name) => fields[name] !== undefined);
  if (autosave !== null && alikeTexts(texts, entry, sent)) return [];
  const id = autosave?.id ?? nextId;
  const data = { autosave: id, isNew: autosave === null, date: now.local, dateGmt: now.gmt, ...texts };
  return [{ type: 'EntryAutosaved', data }];
}
