import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { sizeName } from '#domain/media/naming.ts';
import type { Dimensions } from '#domain/media/sizes.ts';
import { hasSize, maxCuts, noteRendition, renditions } from '#domain/renditions/area.ts';
import type { KeptFile } from '#media/files.ts';
import type { UploadWork } from '#media/uploads.ts';
import { media } from '#projections/media/definition.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { fileUrl } from '#site/addresses/items.ts';

/** The sizes of images that are cut before a commit, which names their files. */
export class ImageCuts {
  readonly #work: UploadWork;
  readonly #made = new Map<string, KeptFile>();

  constructor(work: UploadWork) {
    this.#work = work;
  }

  async cut(id: number, size: Dimensions, model: Model): Promise<void> {
    const row = model.media(id);
    if (row === undefined || isThere(row, size, model)) return;
    if (model.plugin(renditions, String(id)).sizes.length >= maxCuts) return;
    const made = await this.#work.cut(row.shown?.hash ?? row.hash, row.type, size);
    if (made !== null) this.#made.set(keyOf(id, size), made);
  }

  address(id: number, size: Dimensions, session: Session): string | null {
    return addressOfCut(id, size, session, this.#made.get(keyOf(id, size)));
  }

  close(sure: boolean): Promise<void> {
    return this.#work.close(sure);
  }
}

export type AddressOfCut = (id: number, size: Dimensions, session: Session) => string | null;

/** Address of an image in a size that it has or that was made, which then belongs to the image; null: there is none. */
export function addressOfCut(
  id: number,
  { width, height }: Dimensions,
  session: Session,
  made?: KeptFile,
): string | null {
  const size = { width, height };
  const row = session.media(id);
  if (row === undefined) return null;
  const file = sizeName(row.name, size);
  if (!isThere(row, size, session)) {
    if (made === undefined || session.of(media).addressTaken(`${row.folder}/${file}`, made.hash)) return null;
    const rendition = { media: id, ...size, ...made };
    stageIn(session, renditions, noteRendition(session.plugin(renditions, String(id)), rendition));
  }
  return fileUrl(row, file, session);
}

function keyOf(id: number, { width, height }: Dimensions): string {
  return `${id} ${width} ${height}`;
}

function isThere(row: MediaRow, size: Dimensions, model: Model): boolean {
  return hasSize(row, size) || hasSize(model.plugin(renditions, String(row.id)), size);
}
