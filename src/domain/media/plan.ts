import type { EntryMoment } from '#domain/entry/commands.ts';
import { trimTitle } from '#domain/entry/plan.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { slugify } from '#text/slug.ts';
import type { MediaFacts, MediaFields } from './commands.ts';
import { slugFromTitle, uniqueMediaSlug } from './naming.ts';
import type { Media } from './state.ts';

/** What a save can change; everything about the file is fixed. */
export type PlannedMedia = Omit<
  Media,
  | 'type'
  | 'folder'
  | 'name'
  | 'hash'
  | 'bytes'
  | 'image'
  | 'shown'
  | 'sizes'
  | 'missing'
  | 'inherited'
  | 'status'
  | 'source'
  | 'sourceFile'
>;

/** Plans a save, or returns the reason against it. `title`: default title of a new item. */
export function planMedia(
  before: Media | null,
  fields: MediaFields,
  { facts, title: fallback }: { readonly facts: MediaFacts; readonly title: string },
): PlannedMedia | Refusal {
  const refusal = checkFields(fields, facts);
  if (refusal !== null) return refusal;
  const id = before?.id ?? facts.nextId;
  const title = fields.title === undefined ? (before?.title ?? '') : trimTitle(fields.title);
  const named = { id, title: before === null && title === '' ? fallback : title };
  const date = planDate(before, fields.date, facts.now);
  const modified = before === null ? date : facts.now;
  return {
    ...named,
    slug: planSlug(before, fields.slug, { ...named, facts }),
    author: fields.author || (before?.author ?? facts.actor),
    date: date.local,
    dateGmt: date.gmt,
    modified: modified.local,
    modifiedGmt: modified.gmt,
    caption: fields.caption ?? before?.caption ?? '',
    description: fields.description ?? before?.description ?? '',
    altText: fields.altText ?? before?.altText ?? '',
    commentStatus: fields.commentStatus ?? before?.commentStatus ?? facts.commentStatus,
    pingStatus: fields.pingStatus ?? before?.pingStatus ?? 'closed',
    parent: Math.max(0, fields.parent ?? before?.parent ?? 0),
    featuredMedia: fields.featuredMedia ?? before?.featuredMedia ?? 0,
  };
}

function checkFields({ author, featuredMedia }: MediaFields, facts: MediaFacts): Refusal | null {
  if (author && author !== facts.actor && !facts.userExists(author)) {
    return refuse('rest_invalid_author', 'Invalid author ID.');
  }
  return featuredMedia && !facts.isImage(featuredMedia)
    ? refuse('rest_invalid_featured_media', 'Invalid featured media ID.')
    : null;
}

function planSlug(
  before: Media | null,
  sent: string | undefined,
  { id, title, facts }: { readonly id: number; readonly title: string; readonly facts: MediaFacts },
): string {
  const slug = sent === undefined ? (before?.slug ?? '') : slugify(sent);
  const base = slug || slugFromTitle(title, id);
  return uniqueMediaSlug(base, facts.slugTaken, facts.numbers?.(base));
}

function planDate(before: Media | null, sent: EntryMoment | null | undefined, now: EntryMoment): EntryMoment {
  if (sent) return sent;
  return before === null || sent === null ? now : { local: before.date, gmt: before.dateGmt };
}
