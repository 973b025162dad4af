import { changedTerms, sameIds, type TermIds } from './classification.ts';
import type { EntryEvent } from './events.ts';
import { detailsThatDiffer } from './fields.ts';
import { kindOf } from './kinds.ts';
import { changedMembers, type Part } from './parts.ts';
import type { PlannedEntry } from './plan.ts';
import type { Entry } from './state.ts';
import type { EntryStatus } from './vocabulary.ts';

/** The events that turn an entry into the planned one, including `ofTexts`, those of its texts. */
export function difference(before: Entry, after: PlannedEntry, ofTexts: readonly EntryEvent[]): readonly EntryEvent[] {
  const { modified, modifiedGmt } = after;
  const saved = { modified, modifiedGmt };
  const events = [...ofTexts];
  const changed = (...names: readonly (keyof PlannedEntry)[]) => names.some((name) => before[name] !== after[name]);
  const leavesTrash = before.status === 'trash' && after.status !== 'trash';

  if (changed('author')) events.push({ type: 'EntryAuthorChanged', data: { author: after.author, ...saved } });
  if (changed('password')) events.push({ type: 'EntryPasswordChanged', data: { password: after.password, ...saved } });
  if (dateChanged(before, after)) {
    events.push({ type: 'EntryDateChanged', data: { date: after.date, dateGmt: after.dateGmt, ...saved } });
  }
  if (changed('parent')) events.push({ type: 'EntryMoved', data: { parent: after.parent, ...saved } });
  if (changed('sticky')) events.push({ type: after.sticky ? 'EntryStuck' : 'EntryUnstuck', data: saved });
  if (!sameIds(before.categories, after.categories) || !sameIds(before.tags, after.tags)) {
    const [categories, tags] = [[...after.categories], [...after.tags]];
    events.push({ type: 'EntryClassified', data: { categories, tags, ...saved } });
  }
  events.push(...termDifference(before.otherTerms, after));
  const details = detailsThatDiffer(before, after);
  if (Object.keys(details).length > 0) events.push({ type: 'EntryDetailsChanged', data: { ...saved, ...details } });
  events.push(...partEvents(before.part, after));
  if (leavesTrash) events.push({ type: 'EntryRestored', data: saved });
  if (before.status !== after.status) events.push({ type: statusEvents[after.status], data: saved });
  // Follows the status: an entry that enters the trash remembers the slug it had before.
  if (changed('slug')) events.push({ type: 'EntrySlugChanged', data: { slug: after.slug, ...saved } });
  return events.length === 0 ? [{ type: 'EntrySaved', data: saved }] : events;
}

export function termDifference(
  before: TermIds,
  { otherTerms, modified, modifiedGmt }: PlannedEntry,
): readonly EntryEvent[] {
  return changedTerms(before, otherTerms).map(([taxonomy, terms]) => ({
    type: 'EntryTermsChanged',
    data: { taxonomy, terms: [...terms], modified, modifiedGmt },
  }));
}

export function partEvents(
  before: Part | null,
  { kind, part, modified, modifiedGmt }: PlannedEntry,
): readonly EntryEvent[] {
  const known = kindOf(kind).part;
  if (known === null || part === null) return [];
  const changed = changedMembers(known, before, part);
  if (Object.keys(changed).length === 0) return [];
  return [{ type: known.event, data: { ...changed, modified, modifiedGmt } } as EntryEvent];
}

const statusEvents = {
  publish: 'EntryPublished',
  future: 'EntryScheduled',
  private: 'EntryMadePrivate',
  pending: 'EntrySubmitted',
  draft: 'EntrySentBackToDraft',
  trash: 'EntryTrashed',
} as const satisfies Record<EntryStatus, EntryEvent['type']>;

// A date that keeps floating moves with every save and needs no event.
function dateChanged(before: Entry, after: PlannedEntry): boolean {
  if (before.dateGmt === null && after.dateGmt === null) return false;
  return before.dateGmt !== after.dateGmt || before.date !== after.date;
}
