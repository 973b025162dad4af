import { z } from 'zod';
import { cropArgs, type EditStep, editStep, flipArgs, rotateArgs } from '#domain/media/editing.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Arg, Args, Call } from '../../../engine/types.ts';
import { mediaBodyArgs } from '../args.ts';

/** The parameters of editing an image (interface behaviour, section 22). */

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

export function editArgs(): Args<Model> {
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
export function stepsIn({ params }: Call<Model>): readonly EditStep[] | null {
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
