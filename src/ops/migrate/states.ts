import { createHash } from 'node:crypto';
import type { WantedItem, WantedRevision, WantedUnread } from '#commands/migration.ts';
import type { Comment } from '#domain/comment/state.ts';
import { type CommentStatus, commentStatuses, resolutions } from '#domain/comment/vocabulary.ts';
import { type EntryKind, kindOf } from '#domain/entry/kinds.ts';
import { type MenuItem, menuItemTypes, plainMenuItem } from '#domain/entry/menu-item.ts';
import { syncStatuses } from '#domain/entry/pattern.ts';
import { type Entry, TRASHED } from '#domain/entry/state.ts';
import { type EntryStatus, entryStatuses, formats } from '#domain/entry/vocabulary.ts';
import type { Media } from '#domain/media/state.ts';
import type { ImportedArea } from '#domain/migration/area.ts';
import { toGmt } from '#domain/time/local.ts';
import type { CommentRecord, ItemRecord, RevisionRecord, SourceRecord } from '#wxr/records.ts';
import { authorItemKey, authorKey, isKnownTaxonomy, isKnownType } from './catalogue.ts';
import { itemKey, type SourcePlaces } from './places.ts';
import { isOfProduct, productFrom } from './products.ts';

/** Makes what is to be here of what a source has: the same for an import, and for what that is compared with. */

export interface Making {
  readonly places: SourcePlaces;
  /** Zone of the local times of the source. */
  readonly zone: string;
}

type File = Pick<Media, 'type' | 'hash' | 'bytes' | 'image' | 'shown' | 'sizes' | 'missing' | 'photo' | 'recording'>;
/** What is known of a file before it is here. */
export const noFile: File = { type: '', hash: '', bytes: 0, image: null, shown: null, sizes: [], missing: [] };

/** Of a version that its source does not date. */
const noDates = { date: '1970-01-01T00:00:00', dateGmt: '1970-01-01T00:00:00' };
/** Meta that tells what editors were doing, and is worth nothing elsewhere. */
const PASSING = new Set(['_edit_lock', '_edit_last', '_pingme', '_encloseme']);

export function recordDigest(record: object): string {
  return createHash('sha256').update(JSON.stringify(record)).digest('hex');
}

/** An item with the revisions that are known of it; null: this store has none of its type. */
export function entryItem(record: ItemRecord, revisions: readonly RevisionRecord[], making: Making): WantedItem | null {
  if (!isKnownType(record.type) || record.file !== null || record.type === 'attachment') return null;
  const { places } = making;
  const kind = kindOf(record.type);
  const id = places.item(record.id);
  const addresses = [...new Set([places.former(record.id) ?? [], aliasesOf(record)].flat())];
  const state = entryState(record, kind, making);
  return {
    ...wantedItem('entry', itemKey(record.id), { id, record: { record, revisions }, state }),
    ...(addresses.length === 0 ? {} : { addresses }),
    ...(record.modifiedGmt === null ? {} : { modified: record.modifiedGmt }),
    ...(revisions.length === 0 ? {} : { revisions: revisions.map((one) => wantedRevision(one, record.link, making)) }),
    ...unreadOf(record),
  };
}

/** Other paths that led to an item at the source. */
function aliasesOf({ meta }: ItemRecord): readonly string[] {
  const found = meta.find(({ key }) => key === 'aliases')?.value ?? '';
  try {
    const paths: unknown = JSON.parse(found);
    const isPath = (one: unknown) => typeof one === 'string' && /^\/[^/]/.test(one);
    return Array.isArray(paths) ? paths.filter(isPath) : [];
  } catch {
    return [];
  }
}

function entryState(record: ItemRecord, kind: EntryKind, making: Making): Partial<Entry> {
  const { places } = making;
  const status = statusOf(record.status);
  const dates = datesOf(record, making);
  const isFloating = (status === 'draft' || status === 'pending') && record.dateGmt === null;
  const terms = (taxonomy: string) => {
    const own = record.terms.filter((term) => term.taxonomy === taxonomy);
    return [...new Set(own.map((term) => places.term(taxonomy, term)).filter((id) => id > 0))];
  };
  const others = kind.taxonomies.filter((one) => one !== 'category' && one !== 'post_tag' && terms(one).length > 0);
  return {
    id: places.item(record.id),
    kind: kind.name,
    status,
    slug: places.slug(record.id),
    ...authorOf(record, places),
    ...dates,
    ...(isFloating ? { ...(dates === null ? {} : { date: dates.modified }), dateGmt: null } : {}),
    title: record.title,
    content: places.text(record.content, record.link),
    excerpt: places.text(record.excerpt, record.link),
    footnotes: places.text(record.footnotes, record.link),
    password: status === 'private' ? '' : record.password,
    commentStatus: openness(record.commentStatus),
    pingStatus: openness(record.pingStatus),
    format: formats.find((one) => one === record.format) ?? 'standard',
    template: record.template,
    menuOrder: record.menuOrder,
    featuredMedia: record.featured === 0 ? 0 : places.item(record.featured),
    emptiedFootnotes: false,
    sticky: record.sticky,
    parent: kind.hierarchical || record.menuItem !== null ? places.above(record.id) : 0,
    categories: kind.taxonomies.includes('category') ? terms('category') : [],
    tags: kind.taxonomies.includes('post_tag') ? terms('post_tag') : [],
    otherTerms: Object.fromEntries(others.map((one) => [one, terms(one)])),
    part: partState(record, kind, places),
    ...trashedState(record, status),
  };
}

function partState(
  { menuItem, syncStatus, meta }: ItemRecord,
  { part }: EntryKind,
  places: SourcePlaces,
): Entry['part'] {
  if (part === null) return null;
  if (part.event === 'EntryProductChanged') return productFrom(meta);
  if (part.event === 'EntryPatternChanged') {
    return part.of({ syncStatus: syncStatuses.find((one) => one === syncStatus) ?? '' } as never) as Entry['part'];
  }
  if (part.event !== 'EntryMenuItemChanged' || menuItem === null) return null;
  const { object, objectId, url, target, classes, xfn } = menuItem;
  const type = menuItemTypes.find((one) => one === menuItem.type) ?? 'custom';
  const points =
    type === 'taxonomy' ? places.term(object, { id: objectId }) : type === 'post_type' ? places.item(objectId) : 0;
  const item: MenuItem = {
    ...plainMenuItem,
    ...{ type, object, objectId: points, url: type === 'custom' ? places.address(url) : '' },
    ...{ target: target === '_blank' ? '_blank' : '', classes: words(classes), xfn: words(xfn) },
  };
  return part.of(item as never) as Entry['part'];
}

/** What is not said is left out. */
function authorOf({ author }: Pick<ItemRecord, 'author'>, places: SourcePlaces): Pick<Partial<Entry>, 'author'> {
  return Object.keys(author).length === 0 ? {} : { author: places.user(author) };
}

function trashedState({ meta, slug }: ItemRecord, status: EntryStatus): Pick<Partial<Entry>, 'trashed'> {
  if (status !== 'trash') return { trashed: null };
  const read = (key: string) => meta.find((one) => one.key === key)?.value;
  const said = read('_wp_trash_meta_status');
  if (said === undefined) return {};
  const before = statusOf(said);
  const name = read('_wp_desired_post_slug') ?? slugBefore(slug);
  return { trashed: { status: before === 'trash' ? 'draft' : before, slug: name } };
}

/** The slug that something had before it was moved to the trash; null: unknown. */
function slugBefore(slug: string): string | null {
  return slug.endsWith(TRASHED) && slug !== TRASHED ? slug.slice(0, -TRASHED.length) : null;
}

function wantedRevision(record: RevisionRecord, link: string, making: Making): WantedRevision {
  const { places } = making;
  const { date, dateGmt } = datesOf({ ...record, modified: null, modifiedGmt: null }, making) ?? noDates;
  return {
    id: places.revision(record.id),
    isAutosave: record.isAutosave,
    author: places.user(record.author),
    saved: date,
    savedGmt: dateGmt,
    title: record.title,
    content: places.text(record.content, link),
    excerpt: places.text(record.excerpt, link),
    footnotes: places.text(record.footnotes, link),
  };
}

/** A media item without its file. */
export function mediaItem(record: ItemRecord, making: Making): WantedItem {
  const { places } = making;
  const dates = datesOf(record, making);
  const { url = '' } = record.file ?? {};
  const addresses = [places.former(record.id) ?? [], places.formerFile(url) ?? []].flat();
  const [folder, name] = splitPath(record.file?.path ?? '', dates?.date ?? noDates.date);
  const state: Partial<Media> = {
    id: places.item(record.id),
    slug: places.slug(record.id) || record.slug,
    ...authorOf(record, places),
    ...dates,
    title: record.title,
    caption: places.text(record.excerpt, record.link),
    description: places.text(record.content, record.link),
    altText: record.file?.altText ?? '',
    commentStatus: openness(record.commentStatus),
    pingStatus: openness(record.pingStatus),
    parent: places.above(record.id),
    featuredMedia: record.featured === 0 ? 0 : places.item(record.featured),
    ...{ folder, name: record.file?.original || name },
    ...noFile,
    ...(record.status === 'private' ? { status: 'private' as const } : {}),
  };
  return {
    ...wantedItem('media', itemKey(record.id), { id: places.item(record.id), record, state }),
    ...(addresses.length === 0 ? {} : { addresses }),
    ...(record.modifiedGmt === null ? {} : { modified: record.modifiedGmt }),
    ...unreadOf(record),
  };
}

/** Folder and name of a path below the uploads; one that is in no folder gets that of its month. */
function splitPath(path: string, date: string): readonly [folder: string, name: string] {
  // A path that leads out of its folder would do so in an export too.
  const parts = path.split(/[/\\]/).filter((part) => !/^\.*$/.test(part));
  const folder = parts.length < 2 ? date.slice(0, 7).replace('-', '/') : parts.slice(0, -1).join('/');
  return [folder, parts.at(-1) ?? ''];
}

/** A comment or note; null: this store has none of its type. */
export function commentItem(record: CommentRecord, making: Making): WantedItem | null {
  if (record.type !== 'comment' && record.type !== 'note') return null;
  const { places } = making;
  const dates = datesOf({ ...record, modified: null, modifiedGmt: null }, making);
  const read = (key: string) => record.meta.find((one) => one.key === key)?.value;
  const status = commentStatus(record.status);
  const isAside = status === 'spam' || status === 'trash';
  const state: Partial<Comment> & Pick<Comment, 'id'> = {
    id: places.comment(record.id),
    kind: record.type,
    post: places.item(record.of),
    parent: record.parent === 0 || record.parent === record.id ? 0 : places.comment(record.parent),
    author: Object.keys(record.author).length === 0 ? 0 : places.user(record.author),
    status,
    remembered: isAside ? commentStatus(read('_wp_trash_meta_status') ?? '0') : null,
    resolution: resolutions.find((one) => one === read('_wp_note_status')) ?? '',
    ...(dates && { date: dates.date, dateGmt: dates.dateGmt }),
    ...{ name: record.name, email: record.email, url: record.url, ip: record.ip },
    ...{ agent: record.agent, content: places.text(record.content, '') },
  };
  const left = record.meta.filter(({ key }) => key !== '_wp_note_status' && key !== '_wp_trash_meta_status');
  const unread = left.length === 0 ? {} : { unread: JSON.stringify({ meta: left }) };
  return { ...wantedItem('comment', `comment ${record.id}`, { id: state.id, record, state }), ...unread };
}

/** What this store has no place for, as it is. */
export function unreadThing(record: SourceRecord, { places }: Making): WantedUnread {
  const key = keyOfRecord(record);
  const owner = 'author' in record ? places.user(record.author) : 0;
  const item = record.kind === 'comment' ? places.item(record.of) : 0;
  const whose = [...(owner === 0 ? [] : [`user-${owner}`]), ...(item === 0 ? [] : [`entry-${item}`, `media-${item}`])];
  const email = 'email' in record ? record.email : '';
  return { key, digest: recordDigest(record), data: JSON.stringify(record), whose, email };
}

export function keyOfRecord(record: SourceRecord): string {
  if (record.kind === 'term') return `term ${record.taxonomy} ${record.slug}`;
  if (record.kind === 'template') return `template ${record.type} ${record.theme} ${record.slug}`;
  if (record.kind === 'author') return authorItemKey(authorKey({ id: record.id, name: record.login }));
  if (record.kind === 'site') return 'site';
  return record.kind === 'styles' ? `styles ${record.theme}` : `${record.kind} ${record.id}`;
}

interface Made {
  readonly id: number;
  readonly record: object;
  readonly state: object;
}

export function wantedItem(area: ImportedArea, key: string, { id, record, state }: Made): WantedItem {
  return { key, area, id, digest: recordDigest(record), state };
}

function unreadOf({ meta, terms, syncStatus: _, ...record }: ItemRecord): { readonly unread?: string } {
  const isProduct = record.type === 'product';
  const left = meta.filter((one) => !PASSING.has(one.key) && !(isProduct && isOfProduct(one)));
  const other = terms.filter(({ taxonomy }) => !isKnownTaxonomy(taxonomy));
  const format = formats.some((one) => one === record.format) ? '' : record.format;
  const status = statusOf(record.status) === record.status ? '' : record.status;
  const said = { ...(left.length > 0 && { meta: left }), ...(other.length > 0 && { terms: other }) };
  const more = { ...(format !== '' && { format }), ...(status !== '' && status !== 'inherit' && { status }) };
  const all = { ...said, ...more };
  return Object.keys(all).length === 0 ? {} : { unread: JSON.stringify(all) };
}

function statusOf(status: string): EntryStatus {
  return entryStatuses.find((one) => one === status) ?? (status === 'inherit' ? 'publish' : 'draft');
}

function commentStatus(status: string): CommentStatus {
  if (status === '1' || status === 'approve') return 'approved';
  return commentStatuses.find((one) => one === status) ?? 'hold';
}

function openness(status: string): 'open' | 'closed' {
  return status === 'open' ? 'open' : 'closed';
}

/** Times that a source does not say follow from those that it says. */
function datesOf(
  { date, dateGmt, modified, modifiedGmt }: Pick<ItemRecord, 'date' | 'dateGmt' | 'modified' | 'modifiedGmt'>,
  { zone }: Making,
) {
  const local = date ?? dateGmt ?? modified ?? modifiedGmt;
  if (local === null) return null;
  const gmt = dateGmt ?? gmtOf(local, zone);
  const saved = modified ?? local;
  return {
    date: local,
    dateGmt: gmt,
    modified: saved,
    modifiedGmt: modifiedGmt ?? (modified === null ? gmt : gmtOf(saved, zone)),
  };
}

function gmtOf(local: string, zone: string): string {
  return toGmt(local as never, zone || 'UTC');
}

function words(list: readonly string[]): string[] {
  return list.filter((word) => word !== '');
}
