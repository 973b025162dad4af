import { z } from 'zod';
import { stageIn } from '#commands/plugins.ts';
import type { Session } from '#commands/session.ts';
import { sizeName } from '#domain/media/naming.ts';
import type { Dimensions } from '#domain/media/sizes.ts';
import { hasSize, maxCuts, noteRendition, renditions } from '#domain/plugins/renditions/area.ts';
import type { KeptFile } from '#media/files.ts';
import type { Uploads, UploadWork } from '#media/uploads.ts';
import { media } from '#projections/media/definition.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { fileUrl } from '#site/addresses/items.ts';
import { canReadMedia } from '#site/rights.ts';
import { isRecord } from '#text/shapes.ts';
import type { Answer, Call, Upload } from '../../../engine/types.ts';
import { takeNoFile } from '../../../engine/upload.ts';
import { failure, success } from '../kit/envelopes.ts';
import { lenient } from '../kit/field.ts';

export const imageId = lenient('image_id', z.int().min(1), { required: true });
export const customSize = lenient('custom_size', z.looseObject({}), { required: true });

export function resizeImage(uploads: Uploads): Upload<Model, Session> {
  return new Resizing(uploads.open());
}

interface Wanted {
  readonly row: MediaRow;
  readonly size: Dimensions;
}

class Resizing implements Upload<Model, Session> {
  readonly take = takeNoFile;
  readonly #work: UploadWork;
  #made: KeptFile | null = null;
  #failed = false;

  constructor(work: UploadWork) {
    this.#work = work;
  }

  async prepare(call: Call<Model>): Promise<null> {
    const wanted = wantedIn(call);
    if (typeof wanted === 'string' || isThere(wanted, call.model)) return null;
    const { row, size } = wanted;
    if (call.model.plugin(renditions, String(row.id)).sizes.length >= maxCuts) return null;
    this.#made = await this.#work.cut(row.shown?.hash ?? row.hash, row.type, size);
    this.#failed = this.#made === null;
    return null;
  }

  readonly command = (call: Call<Session>): Answer => {
    const { model: session } = call;
    const wanted = wantedIn(call);
    if (typeof wanted === 'string') return failure(wanted);
    const { row, size } = wanted;
    const file = sizeName(row.name, size);
    if (!isThere(wanted, session)) {
      const made = this.#made;
      const taken = made === null || session.of(media).addressTaken(`${row.folder}/${file}`, made.hash);
      if (this.#failed || made === null || taken) return failure('The image cannot be resized.');
      const rendition = { media: row.id, ...size, ...made };
      stageIn(session, renditions, noteRendition(session.plugin(renditions, String(row.id)), rendition));
    }
    return success({ url: fileUrl(row, file, session), ...size });
  };

  digest(): string {
    return '';
  }

  close(sure: boolean): Promise<void> {
    return this.#work.close(sure);
  }
}

/** The image and its new size, which never exceeds that of the image; or why it cannot be resized. */
function wantedIn(call: Call<Model>): Wanted | string {
  const { model, viewer } = call;
  const [width, height] = [lengthIn(call, 'width'), lengthIn(call, 'height')];
  if (width === null || height === null) return 'A width and a height are needed, in whole pixels.';
  const row = model.media(imageId.of(call) ?? 0);
  if (row === undefined || !canReadMedia(viewer, row, model)) return 'There is no such image.';
  const full = row.shown ?? uprightOf(row);
  if (full === null) return 'This is no image that can be resized.';
  return { row, size: { width: Math.min(width, full.width), height: Math.min(height, full.height) } };
}

function uprightOf({ image }: MediaRow): Dimensions | null {
  if (image === null) return null;
  const { width, height, orientation } = image;
  return orientation < 5 ? { width, height } : { width: height, height: width };
}

function lengthIn(call: Call<Model>, name: string): number | null {
  const size: unknown = customSize.of(call);
  const value = isRecord(size) && Object.hasOwn(size, name) ? size[name] : undefined;
  const length = typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value;
  return typeof length === 'number' && Number.isInteger(length) && length > 0 ? length : null;
}

function isThere({ row, size }: Wanted, model: Model): boolean {
  return hasSize(row, size) || hasSize(model.plugin(renditions, String(row.id)), size);
}
