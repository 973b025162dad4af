import type { Refusal } from '#domain/kernel/refusal.ts';
import type { EntryFacts } from './commands.ts';
import type { EntryEvent } from './events.ts';
import { kindOf } from './kinds.ts';
import { checkTexts } from './plan.ts';
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
