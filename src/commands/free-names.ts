import { kindOf } from '#domain/entry/kinds.ts';
import { freeEntrySlug } from '#domain/entry/naming.ts';
import { sizeName, uniqueFileName, uniqueMediaSlug } from '#domain/media/naming.ts';
import type { Media } from '#domain/media/state.ts';
import { media } from '#projections/media/definition.ts';
import { mediaKind } from '#projections/media/store.ts';
import { factsFor } from './entries.ts';
import type { Session } from './session.ts';

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

/** A media item with a slug and a file name that nothing else has. */
export function withFreeFile(session: Session, item: Media): Media {
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
