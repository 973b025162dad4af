import { firstFree, type TakenNumbers } from '#domain/kernel/numbering.ts';
import type { EntryFacts, EntryFields } from './commands.ts';
import type { EntryKind } from './kinds.ts';
import { isReservedSlug, numberSlug, slugify, suffixSlug } from './slug.ts';
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

type Names = Pick<EntryFacts, 'slugTaken' | 'numbers'>;

/** The slug an entry has after a save (interface behaviour, section 12). */
export function planSlug(plan: SlugPlan, facts: Names & Pick<EntryFacts, 'mayPublish'>): string {
  const { kind, before, status, title, parent, id } = plan;
  let slug = givenSlug(plan, facts);
  if (status === 'pending' && !facts.mayPublish) slug = '';
  if (slug === '' && !isUnfinished(status)) slug = slugify(title);
  // What comes out of the trash takes its old name back, even over one given in the same request.
  if (before?.trashed?.slug && status !== 'trash') slug = before.trashed.slug;
  if (isUnfinished(status)) return slug;
  const base = slug || String(id);
  return freeSlug(kind, { base, parent }, facts);
}

/** The slug in the trash: marked, so that the name is free for others. */
export function trashedSlug(kind: EntryKind, entry: Entry, facts: Names): string {
  const marked = entry.slug.endsWith(TRASHED) ? entry.slug : suffixSlug(entry.slug, TRASHED);
  return freeSlug(kind, { base: marked, parent: entry.parent }, facts);
}

/** What the slug would be if it were made from the title now. */
export function generatedSlug(entry: Pick<Entry, 'id' | 'title' | 'parent'>, kind: EntryKind, facts: Names): string {
  return freeSlug(kind, { base: slugify(entry.title) || String(entry.id), parent: entry.parent }, facts);
}

export function uniqueSlug(
  kind: Pick<EntryKind, 'hierarchical' | 'type'>,
  base: string,
  taken: (slug: string) => boolean,
  numbers?: TakenNumbers,
): string {
  if (!taken(base) && !isReservedSlug(addressOf(kind), base)) return base;
  return numberSlug(
    base,
    firstFree((n) => taken(numberSlug(base, n)), numbers),
  );
}

function freeSlug(kind: EntryKind, { base, parent }: { base: string; parent: number }, facts: Names): string {
  return uniqueSlug(kind, base, (name) => facts.slugTaken(name, parent), facts.numbers?.(base, parent));
}

function addressOf({ hierarchical, type }: Pick<EntryKind, 'hierarchical' | 'type'>): 'page' | 'post' | 'other' {
  if (hierarchical) return 'page';
  return type.viewable ? 'post' : 'other';
}

// Drafts keep a doubled slug only when it was given on creation without naming a status, or when it is not given at all.
function givenSlug({ kind, before, fields }: SlugPlan, facts: Names): string {
  if (fields.slug === undefined) return before?.slug ?? '';
  const slug = slugify(fields.slug);
  const status = fields.status ?? before?.status;
  if (slug === '' || status === undefined || !isUnfinished(status)) return slug;
  return freeSlug(kind, { base: slug, parent: fields.parent ?? 0 }, facts);
}
