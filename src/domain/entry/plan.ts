import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { noTerms, type TermIds, withTerms } from './classification.ts';
import type { EntryFacts, EntryFields } from './commands.ts';
import { type Details, initialDetails, planDetails } from './fields.ts';
import type { EntryKind } from './kinds.ts';
import { planSlug, type SlugPlan } from './naming.ts';
import { mergedPart, type Part } from './parts.ts';
import type { Entry } from './state.ts';
import type { RevisionTexts } from './texts.ts';
import { type EntryStatus, isUnfinished } from './vocabulary.ts';

/** An entry as it should be after a save; `difference` derives the events. */
export type PlannedEntry = Omit<Entry, 'revisions' | 'latestRevision' | 'latestRevisionGmt' | 'trashed'>;

/** Plans a save, or returns the first reason against it, in the interface's order. */
export function planEntry(
  kind: EntryKind,
  before: Entry | null,
  fields: EntryFields,
  facts: EntryFacts,
): PlannedEntry | Refusal {
  const refusal = checkFields(kind, before, fields, facts);
  if (refusal !== null) return refusal;
  const parent = planParent(kind, before, fields, facts);
  const texts = {
    title: fields.title === undefined ? (before?.title ?? '') : trimTitle(fields.title),
    content: fields.content ?? before?.content ?? '',
    excerpt: fields.excerpt ?? before?.excerpt ?? '',
    footnotes: fields.footnotes ?? before?.footnotes ?? '',
  };
  const empty = checkTexts(kind, texts);
  if (empty !== null) return empty;
  const wanted: EntryStatus = fields.status ?? before?.status ?? 'draft';
  const { date, dateGmt } = planDate(before, fields.date, wanted, facts);
  const status = planStatus(wanted, dateGmt, facts);
  const id = before?.id ?? facts.nextId;
  const slug: SlugPlan = { kind, before, fields, status, title: texts.title, parent, id };
  const isNew = before === null;
  const planned = {
    id,
    kind: kind.name,
    status,
    slug: planSlug(slug, facts),
    author: fields.author || (before?.author ?? facts.actor),
    date,
    dateGmt,
    modified: isNew ? date : facts.now.local,
    modifiedGmt: isNew ? (dateGmt ?? facts.now.gmt) : facts.now.gmt,
    ...texts,
    password: status === 'private' ? '' : (fields.password ?? before?.password ?? ''),
    ...planDetails(
      before ?? newDetails(kind, facts),
      fields.footnotes === '' ? { ...fields, emptiedFootnotes: true } : fields,
    ),
    sticky: fields.sticky ?? before?.sticky ?? false,
    parent,
    featuredMedia: planFeatured(before, fields, facts),
    categories: fields.categories ?? (hasCategories(kind) ? withDefault(before?.categories, facts) : []),
    tags: fields.tags ?? before?.tags ?? [],
    otherTerms: planTerms(before, fields),
    part: planPart(kind, before, fields),
  };
  return [...planned.password].length > 255
    ? refuse('db_insert_error', 'The password is longer than 255 characters.')
    : planned;
}

/** Adds the default category to a post that would have none. */
export function withDefault(
  categories: readonly number[] | undefined,
  facts: Pick<EntryFacts, 'defaultCategory'>,
): readonly number[] {
  if (categories !== undefined && categories.length > 0) return categories;
  return facts.defaultCategory === 0 ? [] : [facts.defaultCategory];
}

function newDetails(kind: EntryKind, { discussion }: EntryFacts): Details {
  return { ...initialDetails(kind), ...(kind.discussion === 'open' ? discussion : {}) };
}

export function hasCategories({ taxonomies }: EntryKind): boolean {
  return taxonomies.includes('category');
}

/** Checks all fields but the texts; null if they can be saved. */
export function checkFields(
  kind: EntryKind,
  before: Entry | null,
  fields: EntryFields,
  facts: EntryFacts,
): Refusal | null {
  const { status, author, password, sticky } = fields;
  const newStatus = status !== undefined && status !== before?.status;
  if (newStatus && !isUnfinished(status) && !facts.mayPublish) {
    return refuse('rest_cannot_publish', 'Sorry, you are not allowed to publish or schedule this here.');
  }
  if (author && author !== facts.actor && !facts.userExists(author)) {
    return refuse('rest_invalid_author', 'Invalid author ID.');
  }
  const protects = password !== undefined && password !== '';
  if ((protects && (sticky || before?.sticky)) || (sticky && before !== null && before.password !== '')) {
    return refuse('rest_invalid_field', 'A post can not be sticky and have a password.');
  }
  const { parent = 0 } = fields;
  if (kind.hierarchical && (parent < 0 || (parent > 0 && !facts.entryExists(parent)))) {
    return { ...refuse('rest_post_invalid_id', 'Invalid parent ID.'), about: 'input' };
  }
  return null;
}

/** Checks that the texts are not all empty; null if they can be saved. */
export function checkTexts(kind: EntryKind, { title, content, excerpt }: RevisionTexts): Refusal | null {
  if (kind.mayBeEmpty || ![title, content, excerpt].every(isBlank)) return null;
  return refuse('empty_content', 'Content, title, and excerpt are empty.');
}

export function trimTitle(text: string): string {
  return text.replace(/^[ \n\r\t\v\0]+/, '').replace(TRAILING_BLANKS, '');
}

function planParent(kind: EntryKind, before: Entry | null, fields: EntryFields, facts: EntryFacts): number {
  const parent = fields.parent ?? before?.parent ?? 0;
  if (parent === 0 || !kind.hierarchical) return parent;
  return before !== null && facts.lineage(parent).includes(before.id) ? 0 : parent;
}

/** An unknown id is ignored; an id of something other than an image removes the present one (interface behaviour, section 8). */
function planFeatured(before: Entry | null, { featuredMedia }: EntryFields, facts: EntryFacts): number {
  const present = before?.featuredMedia ?? 0;
  if (featuredMedia === undefined) return present;
  if (featuredMedia === 0 || facts.isImage(featuredMedia)) return featuredMedia;
  return facts.entryExists(featuredMedia) ? 0 : present;
}

function planTerms(before: Entry | null, { otherTerms }: EntryFields): TermIds {
  const present = before?.otherTerms ?? noTerms;
  if (otherTerms === undefined) return present;
  const named = Object.entries(otherTerms) as [keyof TermIds, readonly number[]][];
  return named.reduce((terms, [taxonomy, ids]) => withTerms(terms, taxonomy, ids), present);
}

function planPart({ part }: EntryKind, before: Entry | null, fields: EntryFields): Part | null {
  const present = before?.part ?? null;
  return part === null || fields.part === undefined ? present : mergedPart(part, present, fields.part);
}

/** Interface behaviour, section 10. Sending the current date does not fix a floating one. */
function planDate(
  before: Entry | null,
  sent: EntryFields['date'],
  status: EntryStatus,
  facts: EntryFacts,
): { date: string; dateGmt: string | null } {
  const isOtherHour = sent?.isGmt === true && before !== null && before.dateGmt !== null && sent.gmt !== before.dateGmt;
  if (sent && (sent.local !== before?.date || isOtherHour)) return { date: sent.local, dateGmt: sent.gmt };
  if (before !== null && before.dateGmt !== null && sent !== null)
    return { date: before.date, dateGmt: before.dateGmt };
  return { date: facts.now.local, dateGmt: isUnfinished(status) ? null : facts.now.gmt };
}

function planStatus(wanted: EntryStatus, dateGmt: string | null, facts: EntryFacts): EntryStatus {
  if (wanted !== 'publish' && wanted !== 'future') return wanted;
  return dateGmt !== null && dateGmt >= facts.soon ? 'future' : 'publish';
}

/** A single zero counts as empty, as in the reference system. */
const isBlank = (text: string): boolean => text === '' || text === '0';

const TRAILING_BLANKS = /(?<![ \n\r\t\v\0])[ \n\r\t\v\0]+$/;
