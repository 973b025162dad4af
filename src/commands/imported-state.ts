import { type Comment, commentStream } from '#domain/comment/state.ts';
import { kindOf } from '#domain/entry/kinds.ts';
import { freeEntrySlug } from '#domain/entry/naming.ts';
import { type Entry, TRASHED } from '#domain/entry/state.ts';
import { isUnfinished } from '#domain/entry/vocabulary.ts';
import { ofAddress, ofItem, ofUser } from '#domain/kernel/subject.ts';
import { sizeName, uniqueFileName, uniqueMediaSlug } from '#domain/media/naming.ts';
import type { Media } from '#domain/media/state.ts';
import type { ImportedArea } from '#domain/migration/area.ts';
import { media } from '#projections/media/definition.ts';
import { mediaKind } from '#projections/media/store.ts';
import { slugify } from '#text/slug.ts';
import { addressDigest } from './addresses.ts';
import { factsFor } from './entries.ts';
import type { Session } from './session.ts';

/** The state that an item gets: what a source does not say stays as it is, or is what a new item has. */
export function completeState(
  session: Session,
  item: { readonly area: ImportedArea; readonly state: object },
  { id, now }: { readonly id: number; readonly now: object | null },
): object {
  const { area, state } = item;
  return withFreeNames(session, { area, state: { ...(now ?? unsaid(session, area, state)), ...state } }, id);
}

/** What a new item has where its source does not say it. */
function unsaid(session: Session, area: ImportedArea, state: object): object {
  const { local, gmt } = session.now;
  const dates = { date: local, dateGmt: gmt, modified: local, modifiedGmt: gmt };
  const author = session.viewer?.id ?? 0;
  if (area === 'media') return { ...dates, author } satisfies Partial<Media>;
  if (area === 'comment') return { date: local, dateGmt: gmt } satisfies Partial<Comment>;
  if (area !== 'entry') return {};
  const { status, slug = '' } = state as Partial<Entry>;
  const name = slug.endsWith(TRASHED) && slug !== TRASHED ? slug.slice(0, -TRASHED.length) : null;
  const trashed = status === 'trash' ? ({ status: 'draft', slug: name } as const) : null;
  return { ...dates, author, trashed } satisfies Partial<Entry>;
}

/** Whether a site has one of the area, which has no number. */
export function isOnly(area: ImportedArea): boolean {
  return area === 'site' || area === 'plugin-site-styles';
}

/** The slug itself if nothing else has it, otherwise one with a number. `kind`: of an entry, or `attachment`. */
export function freeNameOf(
  session: Session,
  {
    id,
    kind,
    slug,
    parent,
  }: { readonly id: number; readonly kind: string; readonly slug: string; readonly parent: number },
): string {
  if (kind !== mediaKind) {
    const facts = factsFor(session, kindOf(kind), id);
    return facts.slugTaken(slug, parent) ? freeEntrySlug(kindOf(kind), { base: slug, parent }, facts) : slug;
  }
  const isTakenBy = (name: string) => session.nameTaken(name, id);
  const endings = (stem: string) => session.slugEndings(stem, { kind, id, parent: -1 });
  return isTakenBy(slug) ? uniqueMediaSlug({ base: slug, isTaken: isTakenBy, endings }) : slug;
}

/** The state with a slug, and for a file a name, that nothing else has. */
function withFreeNames(
  session: Session,
  { area, state }: { readonly area: ImportedArea; readonly state: object },
  id: number,
): object {
  if (area === 'entry') {
    const entry = { ...(state as Entry), id };
    // What is not unfinished has one.
    const slug = entry.slug || (isUnfinished(entry.status) ? '' : slugify(entry.title) || String(id));
    return slug === '' ? entry : { ...entry, slug: freeNameOf(session, { ...entry, slug }) };
  }
  if (area === 'media') return withFreeFile(session, { ...(state as Media), id });
  if (area === 'plugin-templates') return { ...state, number: id };
  return isOnly(area) ? state : { ...state, id };
}

function withFreeFile(session: Session, item: Media): Media {
  const slug = freeNameOf(session, { ...item, kind: mediaKind });
  const present = session.media(item.id);
  if (present !== undefined) {
    // Its file stays the same; one of other bytes is another item.
    const { folder, name, hash, bytes, image, shown, sizes, missing } = present;
    return { ...item, slug, folder, name, hash, bytes, image, shown, sizes, missing };
  }
  const { folder, hash } = item;
  const table = session.of(media);
  const isAddressTaken = (name: string) =>
    table.addressTaken(`${folder}/${name}`, hash) ||
    item.sizes.some((size) => table.addressTaken(`${folder}/${sizeName(name, size)}`, size.hash));
  // A name like that of a smaller size is what the source has.
  return { ...item, slug, name: isAddressTaken(item.name) ? uniqueFileName(item.name, isAddressTaken) : item.name };
}

/** Whether the account or mail address was erased here: nothing personal of it comes again. `owner`: as in `user-3`. */
export function isErasedOwner(session: Session, owner: string): boolean {
  const [, id] = /^user-(\d+)$/.exec(owner) ?? [];
  if (id === undefined) return owner.startsWith('address-') && session.lastOf(owner) === 'AddressErased';
  return session.user(Number(id))?.erased ?? session.lastOf(owner) !== null;
}

/** Whom or what an item belongs to: erasing any of these erases what was kept of it. */
export function ownersOf(
  session: Session,
  { area, state }: { readonly area: ImportedArea; readonly state: object },
  id: number,
): readonly string[] {
  if (area !== 'comment') return ['entry', 'media', 'user'].includes(area) ? [`${area}-${id}`] : [];
  return [commentStream(id), ...ofItem((state as Comment).post), ...writersOf(session, state as Comment)];
}

export function writersOf(session: Session, { author, email }: Comment): readonly string[] {
  const digest = addressDigest(session, email);
  return [...(author === 0 ? [] : [ofUser(author)]), ...(digest === '' ? [] : [ofAddress(digest)])];
}
