import type { EntryFacts, EntryFields, SlugNumbers } from './commands.ts';
import type { EntryKind } from './kinds.ts';
import { isReservedSlug, numberSlug, slugify, suffixSlug } from './slug.ts';
import { type Entry, TRASHED } from './state.ts';
import { type EntryStatus, isUnfinished } from './vocabulary.ts';

export interface SlugPlan {
  readonly kind: EntryKind;
  readonly before: Entry | null;
  readonly fields: Pick<EntryFields, 'slug' | 'status' | 'parent'>;
  /** As it will be. */
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
  return uniqueSlug(
    kind,
    base,
    (name) => facts.slugTaken(name, parent),
    before === null ? facts.numbers?.(base, parent) : undefined,
  );
}

/** The slug in the trash: marked, so that the name is free for others. */
export function trashedSlug(kind: EntryKind, entry: Entry, facts: Names): string {
  const marked = entry.slug.endsWith(TRASHED) ? entry.slug : suffixSlug(entry.slug, TRASHED);
  return uniqueSlug(kind, marked, (name) => facts.slugTaken(name, entry.parent));
}

/** What the slug would be if it were made from the title now. */
export function generatedSlug(entry: Pick<Entry, 'id' | 'title' | 'parent'>, kind: EntryKind, facts: Names): string {
  return uniqueSlug(kind, slugify(entry.title) || String(entry.id), (name) => facts.slugTaken(name, entry.parent));
}

/** The base itself if it is free, else the first free number behind it. */
export function uniqueSlug(
  kind: Pick<EntryKind, 'hierarchical'>,
  base: string,
  taken: (slug: string) => boolean,
  numbers?: SlugNumbers,
): string {
  if (!taken(base) && !isReservedSlug(kind.hierarchical ? 'page' : 'post', base)) return base;
  for (let n = numbers?.first ?? 2; ; n++) {
    const slug = numberSlug(base, n);
    if (taken(slug)) continue;
    numbers?.note(n);
    return slug;
  }
}

// Drafts keep a doubled slug only when it was given on creation without naming a status, or when it is not given at all.
function givenSlug({ kind, before, fields }: SlugPlan, facts: Names): string {
  if (fields.slug === undefined) return before?.slug ?? '';
  const slug = slugify(fields.slug);
  const status = fields.status ?? before?.status;
  if (slug === '' || status === undefined || !isUnfinished(status)) return slug;
  return uniqueSlug(kind, slug, (name) => facts.slugTaken(name, fields.parent ?? 0));
}
