import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { EntryFacts, EntryFields, OwnAutosave } from './commands.ts';
import { difference } from './difference.ts';
import type { EntryEvent } from './events.ts';
import { kindOf } from './kinds.ts';
import { checkFields, planEntry, trimTitle } from './plan.ts';
import { silentEvents } from './revising.ts';
import type { Entry } from './state.ts';
import { alikeTexts, type RevisionTexts, textNames } from './texts.ts';

/** Facts for an autosave. `autosave`: the actor's existing autosave of the entry. */
export interface AutosaveFacts extends EntryFacts {
  readonly autosave: OwnAutosave | null;
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
