import { shownName, sizeName } from '#domain/media/naming.ts';
import type { Media } from '#domain/media/state.ts';
import type { Rendition } from '#domain/renditions/area.ts';

export interface Addressed {
  readonly path: string;
  readonly hash: string;
}

/** Whether the name of an item has been erased, and with it its addresses: its files are then no longer needed. */
export function isErasedFile({ name }: Pick<Media, 'name'>): boolean {
  return name === '';
}

/** All addresses of a media item: its file, the one shown instead, its sizes. */
export function addressesOf({ folder, name, hash, shown, sizes }: Media): readonly Addressed[] {
  if (isErasedFile({ name })) return [];
  const at = (file: string, ownHash: string) => ({ path: `${folder}/${file}`, hash: ownHash });
  return [
    at(name, hash),
    ...(shown === null ? [] : [at(shownName(name, shown.suffix), shown.hash)]),
    ...sizes.map((size) => at(sizeName(name, size), size.hash)),
  ];
}

/** The address of a rendition cut from an image; none when the image's own has been erased. */
export function addressOfRendition({ folder, name }: Media, rendition: Rendition): readonly Addressed[] {
  return isErasedFile({ name }) ? [] : [{ path: `${folder}/${sizeName(name, rendition)}`, hash: rendition.hash }];
}
