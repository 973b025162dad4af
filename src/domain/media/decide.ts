import type { EntryMoment } from '#domain/entry/commands.ts';
import { trimTitle } from '#domain/entry/plan.ts';
import type { ErasureReason } from '#domain/kernel/erasure.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { slugify } from '#text/slug.ts';
import type { CopyFields, MediaFacts, MediaFields, StoredFile } from './commands.ts';
import type { EditStep } from './editing.ts';
import type { MediaEvent } from './events.ts';
import { sizeName, slugFromTitle, stemOf, uniqueFileName, uniqueMediaSlug } from './naming.ts';
import type { Media, MediaSize } from './state.ts';

/** What a save can change; everything about the file is fixed. */
type PlannedMedia = Omit<
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
  | 'photo'
  | 'recording'
  | 'inherited'
  | 'status'
  | 'source'
  | 'sourceFile'
>;

export function uploadMedia(file: StoredFile, fields: MediaFields, facts: MediaFacts): readonly MediaEvent[] | Refusal {
  const folder = folderFor(fields.parent ?? 0, facts);
  const name = freeName(file, folder, facts);
  const texts = { caption: fields.caption || (file.caption ?? ''), altText: fields.altText ?? file.altText ?? '' };
  const planned = planMedia(null, { ...fields, ...texts }, { facts, title: file.title ?? stemOf(name) });
  if (isRefusal(planned)) return planned;
  return [uploaded(planned, file, { folder, name }), ...privacy(fields.status)];
}

/** Creates a media item from an edited image; the source remains. Texts default to those of the source, and its header is kept. */
export function editMedia(
  source: Media,
  {
    file,
    fields,
    steps,
  }: { readonly file: StoredFile; readonly fields: CopyFields; readonly steps: readonly EditStep[] },
  facts: MediaFacts,
): readonly MediaEvent[] | Refusal {
  const { title, caption, description, altText } = source;
  const folder = folderFor(0, facts);
  const planned = planMedia(null, { title, caption, description, altText, ...fields }, { facts, title: '' });
  if (isRefusal(planned)) return planned;
  const sourceFile = `${source.folder}/${source.name}`;
  const kept = source.photo === undefined ? {} : { photo: source.photo };
  return [
    uploaded(planned, { ...file, ...kept }, { folder, name: freeName(file, folder, facts) }),
    { type: 'MediaDerived', data: { source: source.id, sourceFile, steps: [...steps] } },
    // A derivative of a private item is private, too.
    ...privacy(source.status ?? source.inherited),
  ];
}

/** Adds missing sizes of an image, except those whose address belongs to something else. */
export function addSizes(
  media: Media,
  made: readonly MediaSize[],
  { addressTaken }: Pick<MediaFacts, 'addressTaken'>,
): readonly MediaEvent[] {
  const sizes = made.filter(
    (size) =>
      media.missing.includes(size.name) && !addressTaken(`${media.folder}/${sizeName(media.name, size)}`, size.hash),
  );
  if (sizes.length === 0) return [];
  const missing = media.missing.filter((name) => sizes.every((size) => size.name !== name));
  return [{ type: 'MediaSizesMade', data: { sizes, missing } }];
}

/** Saves a media item: records the changed fields, or just the time of the save. */
export function changeMedia(media: Media, fields: MediaFields, facts: MediaFacts): readonly MediaEvent[] | Refusal {
  const planned = planMedia(media, fields, { facts, title: '' });
  return isRefusal(planned) ? planned : mediaDifference(media, planned, fields.status);
}

export function deleteMedia({ id }: Media): readonly MediaEvent[] {
  return [{ type: 'MediaDeleted', data: { id } }];
}

/** Orders the erasure of a media item that is deleted, also by the same commit. `last`: type of its last event in the log. */
export function eraseMedia(id: number, last: string, order: ErasureReason): readonly MediaEvent[] {
  return last === 'MediaErased' ? [] : [{ type: 'MediaErased', data: { id, ...order } }];
}

const settings = [
  ...(['date', 'dateGmt', 'slug', 'author', 'commentStatus', 'pingStatus'] as const),
  ...(['parent', 'featuredMedia'] as const),
];
const textNames = ['title', 'caption', 'description', 'altText'] as const;

/** The events that turn a media item into the planned one. */
export function mediaDifference(
  before: Media,
  after: PlannedMedia,
  status: MediaFields['status'],
): readonly MediaEvent[] {
  const { modified, modifiedGmt } = after;
  const saved = { modified, modifiedGmt };
  const events: MediaEvent[] = [];
  const described = textNames.filter((name) => before[name] !== after[name]);
  if (described.length > 0) {
    const texts = Object.fromEntries(described.map((name) => [name, after[name]]));
    events.push({ type: 'MediaDescribed', data: { ...saved, ...texts } });
  }
  if (status !== undefined && status !== (before.status ?? 'inherit')) {
    events.push({ type: status === 'private' ? 'MediaMadePrivate' : 'MediaReleased', data: saved });
  }
  const changed = settings.filter((name) => before[name] !== after[name]);
  if (changed.length > 0 || events.length === 0) {
    const data = { ...saved, ...Object.fromEntries(changed.map((name) => [name, after[name]])) };
    events.push({ type: 'MediaChanged', data });
  }
  return events;
}

function privacy(status: MediaFields['status']): readonly MediaEvent[] {
  return status === 'private' ? [{ type: 'MediaMadePrivate', data: {} }] : [];
}

function uploaded(planned: PlannedMedia, file: StoredFile, place: Pick<Media, 'folder' | 'name'>): MediaEvent {
  const { name: _, title: __, caption: ___, altText: ____, ...stored } = file;
  const data = { ...planned, ...stored, ...place, sizes: [...stored.sizes], missing: [...stored.missing] };
  return { type: 'MediaUploaded', data };
}

function freeName({ name, hash }: StoredFile, folder: string, { addressTaken }: MediaFacts): string {
  return uniqueFileName(name, (tried) => addressTaken(`${folder}/${tried}`, hash));
}

function folderFor(parent: number, { now, dateOf }: MediaFacts): string {
  const date = (parent > 0 ? dateOf(parent) : null) ?? now.local;
  return date.slice(0, 7).replace('-', '/');
}

/** Plans a save, or returns the reason against it. `title`: default title of a new item. */
function planMedia(
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
  return uniqueMediaSlug({ base, isTaken: facts.slugTaken, endings: facts.slugEndings });
}

function planDate(before: Media | null, sent: EntryMoment | null | undefined, now: EntryMoment): EntryMoment {
  if (sent) return sent;
  return before === null || sent === null ? now : { local: before.date, gmt: before.dateGmt };
}
