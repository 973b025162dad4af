import type { Refusal } from '#domain/kernel/refusal.ts';
import type { EntryFacts } from './commands.ts';
import type { EntryEvent } from './events.ts';
import { kindOf } from './kinds.ts';
import { checkTexts } from './plan.ts';
import { newestFirst } from './revisions.ts';
import type { Entry } from './state.ts';
import { type RevisionTexts, sameTexts, textsOf } from './texts.ts';

/** Makes the texts of a revision current again, as a revision of its own; nothing when they are current. */
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

/** Deletes one of an entry's revisions or autosaves; nothing when it is not among them. */
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
