import { z } from 'zod';
import * as media from '#commands/media.ts';
import type { Session } from '#commands/session.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { CopyFields, StoredFile } from '#domain/media/commands.ts';
import { cropArgs, type EditStep, editStep, flipArgs, rotateArgs } from '#domain/media/editing.ts';
import { editedName, sizeName } from '#domain/media/naming.ts';
import type { MediaSize } from '#domain/media/state.ts';
import { isImageType } from '#domain/media/types.ts';
import type { EditFault } from '#media/edit.ts';
import type { Uploads, UploadWork } from '#media/uploads.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { mediaUrl, shownFile } from '#site/addresses/items.ts';
import type { Answer, Arg, Args, Call, Route, Upload } from '../../engine/types.ts';
import { takeNoFile } from '../../engine/upload.ts';
import { idArg } from '../entries/args.ts';
import { mediaBodyArgs } from './args.ts';
import { mediaFields, mediaSchema } from './fields.ts';
import { findMedia, mayEditImage, mayUpdateMedia } from './permissions.ts';
import { shownMedia } from './writes.ts';

const item = `/${CONTENT}/media/(?P<id>[\\d]+)`;

/** Types that can be edited. */
const editable = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/heic']);

const nobody = () => false;

export function mediaEditingRoutes(uploads: Uploads): readonly Route<Model, Session>[] {
  return [
    {
      namespace: CONTENT,
      pattern: `${item}/post-process`,
      schema: mediaSchema,
      endpoints: [
        {
          methods: ['POST'],
          summary: 'Make the sizes of an image that are missing',
          status: 200,
          args: {
            id: idArg,
            action: { schema: z.enum(['create-image-subsizes']), required: true },
          },
          permission: mayUpdateMedia,
          takesFrom: nobody,
          upload: () => beginPostProcess(uploads),
        },
      ],
    },
    {
      namespace: CONTENT,
      pattern: `${item}/edit`,
      schema: mediaSchema,
      endpoints: [
        {
          methods: ['POST'],
          summary: 'Make a new item by editing an image',
          status: 201,
          args: editArgs(),
          permission: mayEditImage,
          takesFrom: nobody,
          upload: () => beginEdit(uploads),
        },
      ],
    },
  ];
}

/** Begins to edit an image; the result is a new item (interface behaviour, section 22). */
function beginEdit(uploads: Uploads): Upload<Model, Session> {
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
  return names.some((name) => forms.some((form) => form.endsWith(`/${row.folder}/${name}`)));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Begins to make the image sizes that an upload skipped (interface behaviour, section 22). */
function beginPostProcess(uploads: Uploads): Upload<Model, Session> {
  return new Finishing(uploads.open());
}

class Finishing implements Upload<Model, Session> {
  readonly take = takeNoFile;
  readonly #work: UploadWork;
  #made: readonly MediaSize[] = [];

  constructor(work: UploadWork) {
    this.#work = work;
  }

  async prepare(call: Call<Model>): Promise<Refusal | null> {
    const row = findMedia(call);
    if (isRefusal(row)) return row;
    if (row.missing.length > 0) this.#made = await this.#work.size(row.hash, row.type, row.missing);
    return null;
  }

  readonly command = (call: Call<Session>): Answer | Refusal => {
    const row = findMedia(call);
    if (isRefusal(row)) return row;
    media.addSizes(call.model, row.id, this.#made);
    return shownMedia(call, row.id);
  };

  digest(): string {
    return '';
  }

  close(sure: boolean): Promise<void> {
    return this.#work.close(sure);
  }
}

/** One alternative of a step. Required members are declared for all alternatives together. */
const step = (title: string, type: EditStep['type'], args: z.ZodType) =>
  z
    .object({ type: z.literal(type), args })
    .partial()
    .meta({ title });

const steps = z
  .array(
    z
      .union([step('Flip', 'flip', flipArgs), step('Rotation', 'rotate', rotateArgs), step('Crop', 'crop', cropArgs)])
      .meta({
        type: 'object',
        description: 'Image edit.',
        properties: { type: {}, args: {} },
        required: ['type', 'args'],
      }),
  )
  .min(1)
  .describe('Array of image edits.');

const percent = (description: string): Arg<Model> => ({ schema: z.number().min(0).max(100).describe(description) });

/** The parameters of editing an image (interface behaviour, section 22). */
function editArgs(): Args<Model> {
  const { caption, description, title, post, alt_text: altText } = mediaBodyArgs() as Record<string, Arg<Model>>;
  const texts = { caption, description, title, post, alt_text: altText };
  const given = Object.entries(texts).flatMap(([name, arg]) => (arg === undefined ? [] : [[name, arg] as const]));
  return {
    src: { schema: z.string().meta({ format: 'uri', description: 'URL to the edited image file.' }), required: true },
    modifiers: { schema: steps },
    rotation: {
      schema: z
        .int()
        .gt(0)
        .lt(360)
        .describe('The amount to rotate the image clockwise in degrees. DEPRECATED: Use `modifiers` instead.'),
    },
    x: percent(
      'As a percentage of the image, the x position to start the crop from. DEPRECATED: Use `modifiers` instead.',
    ),
    y: percent(
      'As a percentage of the image, the y position to start the crop from. DEPRECATED: Use `modifiers` instead.',
    ),
    width: percent(
      'As a percentage of the image, the width to crop the image to. DEPRECATED: Use `modifiers` instead.',
    ),
    height: percent(
      'As a percentage of the image, the height to crop the image to. DEPRECATED: Use `modifiers` instead.',
    ),
    ...Object.fromEntries(given),
  };
}

/** The requested steps, in either notation; empty if there are none. Null if a number is too large. */
function stepsIn({ params }: Call<Model>): readonly EditStep[] | null {
  const { modifiers, rotation, x, y, width, height } = params;
  // Numbers in JSON may be too large to be represented.
  if (Array.isArray(modifiers)) return z.array(editStep).safeParse(modifiers).data ?? null;
  const turn = typeof rotation === 'number' ? [rotated(rotation)] : [];
  const area = [x, y, width, height].filter((value) => typeof value === 'number');
  const [left = 0, top = 0, across = 0, down = 0] = area;
  return area.length < 4 ? turn : [...turn, cropped({ left, top, width: across, height: down })];
}

function rotated(angle: number): EditStep {
  return { type: 'rotate', args: { angle } };
}

function cropped(args: z.infer<typeof cropArgs>): EditStep {
  return { type: 'crop', args };
}
