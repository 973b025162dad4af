import * as media from '#commands/media.ts';
import type { Session } from '#commands/session.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { CopyFields, StoredFile } from '#domain/media/commands.ts';
import type { EditStep } from '#domain/media/editing.ts';
import { editedName, sizeName } from '#domain/media/naming.ts';
import { isImageType } from '#domain/media/types.ts';
import type { EditFault } from '#media/edit.ts';
import type { Uploads, UploadWork } from '#media/uploads.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { mediaUrl, shownFile } from '#site/addresses/media.ts';
import { takeNoFile } from '../../../engine/no-file.ts';
import type { Answer, Call, Upload } from '../../../engine/types.ts';
import { mediaFields } from '../fields.ts';
import { findMedia } from '../find.ts';
import { shownMedia } from '../writes.ts';
import { stepsIn } from './args.ts';

/** Types that can be edited. */
const editable = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/heic']);

/** Begins to edit an image; the result is a new item (interface behaviour, section 22). */
export function beginEdit(uploads: Uploads): Upload<Model, Session> {
  return new Editing(uploads.open());
}

const messages: Readonly<Record<EditFault, Refusal>> = {
  unreadable: refuse('rest_unknown_image_file_type', 'Unable to edit this image.'),
  crop: refuse('rest_image_crop_failed', 'Unable to crop this image.'),
  rotate: refuse('rest_image_rotation_failed', 'Unable to rotate this image.'),
  flip: refuse('rest_image_flip_failed', 'Unable to flip this image.'),
};

class Editing implements Upload<Model, Session> {
  readonly take = takeNoFile;
  readonly #work: UploadWork;
  #made: StoredFile | null = null;

  constructor(work: UploadWork) {
    this.#work = work;
  }

  async prepare(call: Call<Model>): Promise<Refusal | null> {
    const asked = askedIn(call);
    if (isRefusal(asked)) return asked;
    const { hash, type, name } = asked.row;
    const made = await this.#work.edit(hash, { type, name: editedName(name), steps: asked.steps });
    if (typeof made === 'string') return messages[made];
    this.#made = made;
    return null;
  }

  readonly command = (call: Call<Session>): Answer | Refusal => {
    const asked = askedIn(call);
    if (isRefusal(asked)) return asked;
    const file = this.#made;
    if (file === null) throw new Error('an edit that made nothing must have been refused before');
    const id = media.editMedia(call.model, asked.row.id, { file, fields: fieldsIn(call), steps: asked.steps });
    if (isRefusal(id)) return id;
    const headers = { Location: `${mediaUrl(call.model)}/${id}` };
    return { ...shownMedia(call, id, 'view'), status: 201, headers };
  };

  digest(): string {
    return '';
  }

  close(sure: boolean): Promise<void> {
    return this.#work.close(sure);
  }
}

interface Asked {
  readonly row: MediaRow;
  readonly steps: readonly EditStep[];
}

function askedIn(call: Call<Model>): Asked | Refusal {
  const row = findMedia(call);
  if (isRefusal(row)) return row;
  if (!showsImage(row, String(call.params['src']))) {
    return refuse('rest_unknown_attachment', 'Unable to get meta information for file.');
  }
  if (!isEditable(row)) return refuse('rest_cannot_edit_file_type', 'This type of file cannot be edited.');
  const steps = stepsIn(call);
  if (steps === null) return refuse('rest_invalid_param', 'Invalid parameter(s): modifiers');
  return steps.length > 0
    ? { row, steps }
    : refuse('rest_image_not_edited', 'The image was not edited. Edit the image before applying the changes.');
}

function fieldsIn(call: Call<Model>): CopyFields {
  const { title, caption, description, altText, parent } = mediaFields.input(call);
  return {
    ...(title === undefined ? {} : { title }),
    ...(caption === undefined ? {} : { caption }),
    ...(description === undefined ? {} : { description }),
    ...(altText === undefined ? {} : { altText }),
    ...(parent === undefined ? {} : { parent }),
  };
}

function isEditable({ type }: MediaRow): boolean {
  return editable.has(type);
}

/** Whether an address is that of an item's image or of one of its sizes, on any host and with any query. */
function showsImage(row: MediaRow, address: string): boolean {
  if (!isImageType(row.type) || row.image === null || row.name === '') return false;
  const [path = ''] = address.split('?', 1);
  const forms = [path, decoded(path)];
  const names = [row.name, shownFile(row), ...row.sizes.map((size) => sizeName(row.name, size))];
  return names.some((name) => forms.some((form) => form.endsWith(`${row.folder}/${name}`)));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
