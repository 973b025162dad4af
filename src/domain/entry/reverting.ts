import type { Refusal } from '#domain/kernel/refusal.ts';
import type { EntryFacts } from './commands.ts';
import type { EntryEvent } from './events.ts';
import { kindOf } from './kinds.ts';
import { checkTexts } from './plan.ts';
import { newestFirst } from './revisions.ts';
import type { Entry } from './state.ts';
import { type RevisionTexts, sameTexts, textsOf } from './texts.ts';

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
export function deleteRevision(
  id: number,
  revisions: readonly { readonly id: number; readonly dateGmt: string }[],
): readonly EntryEvent[] {
  const left = revisions.filter((revision) => revision.id !== id);
  if (left.length === revisions.length) return [];
  const [latest] = [...left].sort(newestFirst);
  const data = { revision: id, latest: latest?.id ?? 0, latestGmt: latest?.dateGmt ?? '' };
  return [{ type: 'EntryRevisionDeleted', data }];
}
