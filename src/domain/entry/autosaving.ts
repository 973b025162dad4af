import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { EntryFacts, EntryFields, OwnAutosave } from './commands.ts';
import { difference } from './difference.ts';
import type { EntryEvent } from './events.ts';
import { kindOf } from './kinds.ts';
import { checkFields, planEntry, trimTitle } from './plan.ts';
import { silentEvents } from './revising.ts';
import type { Entry } from './state.ts';
import { alikeTexts, type RevisionTexts, textNames } from './texts.ts';

/** What an autosave depends on: `autosave` is the one that the actor has of the entry already. */
export interface AutosaveFacts extends EntryFacts {
  readonly autosave: OwnAutosave | null;
}

/**
 * Saves what its writer has not saved yet (interface behaviour, section 20): one's own draft itself, without a
 * revision; of anything else the texts alone, beside it.
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

/** Texts that say nothing new against the entry leave an autosave alone, but don't keep a first one from being made. */
function besideEvents(entry: Entry, fields: EntryFields, facts: AutosaveFacts): readonly EntryEvent[] {
  const { autosave, now, nextId } = facts;
  const before: RevisionTexts = autosave?.texts ?? { title: '', content: '', excerpt: '', footnotes: '' };
  // Footnotes are no text of their own: without them the marks in the entry's content would lead nowhere.
  const { content = before.content, excerpt = before.excerpt, footnotes = entry.footnotes } = fields;
  const title = fields.title === undefined ? before.title : trimTitle(fields.title);
  const texts: RevisionTexts = { title, content, excerpt, footnotes };
  const sent = textNames.filter((name) => fields[name] !== undefined);
  if (autosave !== null && alikeTexts(texts, entry, sent)) return [];
  const id = autosave?.id ?? nextId;
  const data = { autosave: id, isNew: autosave === null, date: now.local, dateGmt: now.gmt, ...texts };
  return [{ type: 'EntryAutosaved', data }];
}
