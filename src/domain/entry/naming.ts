import { freeNumberedSlug, isReservedSlug, type NumberedSlug, slugify, suffixSlug } from '#text/slug.ts';
import type { EntryFacts, EntryFields } from './commands.ts';
import type { EntryKind } from './kinds.ts';
import { type Entry, TRASHED } from './state.ts';
import { type EntryStatus, isUnfinished } from './vocabulary.ts';

export interface SlugPlan {
  readonly kind: EntryKind;
  readonly before: Entry | null;
  readonly fields: Pick<EntryFields, 'slug' | 'status' | 'parent'>;
  readonly status: EntryStatus;
  readonly title: string;
  readonly parent: number;
  readonly id: number;
}

type Names = Pick<EntryFacts, 'slugTaken' | 'slugEndings'>;

/** The slug of an entry after a save (interface behaviour, section 12). */
export function planSlug(plan: SlugPlan, facts: Names & Pick<EntryFacts, 'mayPublish'>): string {
  const { kind, before, status, title, parent, id } = plan;
  let slug = givenSlug(plan, facts);
  if (status === 'pending' && !facts.mayPublish) slug = '';
  if (slug === '' && !isUnfinished(status)) slug = slugify(title);
  // An entry restored from the trash gets its old slug back, even if the request names another.
  if (before?.trashed?.slug && status !== 'trash') slug = before.trashed.slug;
  if (isUnfinished(status)) return slug;
  const base = slug || String(id);
  return freeEntrySlug(kind, { base, parent }, facts);
}

/** The slug of a trashed entry: marked, so that the name becomes free. */
export function trashedSlug(kind: EntryKind, entry: Entry, facts: Names): string {
  const marked = entry.slug.endsWith(TRASHED) ? entry.slug : suffixSlug(entry.slug, TRASHED);
  return freeEntrySlug(kind, { base: marked, parent: entry.parent }, facts);
}

/** The slug that the current title would produce. */
export function generatedSlug(entry: Pick<Entry, 'id' | 'title' | 'parent'>, kind: EntryKind, facts: Names): string {
  return freeEntrySlug(kind, { base: slugify(entry.title) || String(entry.id), parent: entry.parent }, facts);
}

export function uniqueSlug(kind: Pick<EntryKind, 'hierarchical' | 'type'>, wanted: NumberedSlug): string {
  const { base, isTaken } = wanted;
  return isTaken(base) || isReservedSlug(addressOf(kind), base) ? freeNumberedSlug(wanted) : base;
}

/** The slug itself if it is free for an entry of a kind, otherwise with the first free number. */
export function freeEntrySlug(
  kind: EntryKind,
  { base, parent }: { base: string; parent: number },
  facts: Names,
): string {
  return uniqueSlug(kind, {
    base,
    isTaken: (name) => facts.slugTaken(name, parent),
    endings: (stem) => facts.slugEndings(stem, parent),
  });
}

function addressOf({ hierarchical, type }: Pick<EntryKind, 'hierarchical' | 'type'>): 'page' | 'post' | 'other' {
  if (hierarchical) return 'page';
  return type.viewable ? 'post' : 'other';
}

// A slug that is given for a draft is made unique, except on creation without a status.
function givenSlug({ kind, before, fields }: SlugPlan, facts: Names): string {
  if (fields.slug === undefined) return before?.slug ?? '';
  const slug = slugify(fields.slug);
  const status = fields.status ?? before?.status;
  if (slug === '' || status === undefined || !isUnfinished(status)) return slug;
  return freeEntrySlug(kind, { base: slug, parent: fields.parent ?? 0 }, facts);
}
