import type { EntryEvent } from './events.ts';
import { detailsThatDiffer } from './fields.ts';
import type { PlannedEntry } from './plan.ts';
import { changedProduct, type Product, plainProduct } from './product.ts';
import type { Entry } from './state.ts';
import type { EntryStatus } from './vocabulary.ts';

/** The events that lead from an entry to what it is to be; `ofTexts` are those that its texts lead to. */
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
  const details = detailsThatDiffer(before, after);
  if (Object.keys(details).length > 0) events.push({ type: 'EntryDetailsChanged', data: { ...saved, ...details } });
  events.push(...productEvents(before.product, after));
  if (leavesTrash) events.push({ type: 'EntryRestored', data: saved });
  if (before.status !== after.status) events.push({ type: statusEvents[after.status], data: saved });
  // After the status: what goes to the trash remembers the slug it came with.
  if (changed('slug')) events.push({ type: 'EntrySlugChanged', data: { slug: after.slug, ...saved } });
  return events.length === 0 ? [{ type: 'EntrySaved', data: saved }] : events;
}

/** The event for the changed fields of a product, if any. */
export function productEvents(
  before: Product | null,
  { product, modified, modifiedGmt }: PlannedEntry,
): readonly EntryEvent[] {
  if (product === null) return [];
  const { attributes, ...changed } = changedProduct(before ?? plainProduct, product);
  const lists = attributes && {
    attributes: attributes.map(({ options, ...one }) => ({ ...one, options: [...options] })),
  };
  if (lists === undefined && Object.keys(changed).length === 0) return [];
  return [{ type: 'EntryProductChanged', data: { ...changed, ...lists, modified, modifiedGmt } }];
}

const statusEvents = {
  publish: 'EntryPublished',
  future: 'EntryScheduled',
  private: 'EntryMadePrivate',
  pending: 'EntrySubmitted',
  draft: 'EntrySentBackToDraft',
  trash: 'EntryTrashed',
} as const satisfies Record<EntryStatus, EntryEvent['type']>;

// A date that goes on floating moves by itself with every save.
function dateChanged(before: Entry, after: PlannedEntry): boolean {
  if (before.dateGmt === null && after.dateGmt === null) return false;
  return before.dateGmt !== after.dateGmt || before.date !== after.date;
}

function sameIds(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id));
}
