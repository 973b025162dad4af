import { z } from 'zod';
import type { Dimensions } from './sizes.ts';

/** Edits of an image, applied one after the other (interface behaviour, section 22). */

const number = z.number();

export const cropArgs = z.object({ left: number, top: number, width: number, height: number });
export const rotateArgs = z.object({ angle: number });
export const flipArgs = z.object({ flip: z.object({ horizontal: z.boolean(), vertical: z.boolean() }) });

export const editStep = z.discriminatedUnion('type', [
  z.object({ type: z.literal('crop'), args: cropArgs }).describe('percent of the size before the step'),
  z.object({ type: z.literal('rotate'), args: rotateArgs }).describe('degrees clockwise'),
  z.object({ type: z.literal('flip'), args: flipArgs }),
]);
export type EditStep = z.infer<typeof editStep>;

export interface ImageArea extends Dimensions {
  readonly left: number;
  readonly top: number;
}

/**
 * The area that a crop leaves of an image; null if it is empty. The crop is limited to the image; one of the size of the image keeps all of
 * it.
 */
export function croppedArea(image: Dimensions, crop: z.infer<typeof cropArgs>): ImageArea | null {
  const [left, width] = [pixels(image.width, crop.left), pixels(image.width, crop.width)];
  const [top, height] = [pixels(image.height, crop.top), pixels(image.height, crop.height)];
  if (width === image.width && height === image.height) return { left: 0, top: 0, width, height };
  const [across, down] = [cut(image.width, left, width), cut(image.height, top, height)];
  if (across.length < 1 || down.length < 1) return null;
  return { left: across.start, top: down.start, width: across.length, height: down.length };
}

/** Normalises an angle to 0 up to 360 degrees, clockwise. */
export function turnOf(angle: number): number {
  return ((angle % 360) + 360) % 360;
}

function pixels(length: number, percent: number): number {
  return Math.round((length * percent) / 100);
}

function cut(max: number, start: number, length: number): { readonly start: number; readonly length: number } {
  const first = Math.max(0, start);
  return { start: first, length: Math.min(max, start + length) - first };
}
