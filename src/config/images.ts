import { z } from 'zod';
import { bytes, items, wholeNumber } from './values.ts';

/** Settings of images. */
export const imageSettings = {
  IMAGE_PIXELS: wholeNumber(1, 1e9).prefault('100000000').describe('a number of pixels from 1 to 1000000000'),
  IMAGE_LENGTHS: z
    .string()
    .transform(items)
    .pipe(z.array(wholeNumber(1, 4096)).max(100))
    .prefault('150,300,320,480,640,768,960,1024,1280,1536,1920,2048,2560')
    .describe('up to 100 numbers of pixels from 1 to 4096, separated by commas'),
  IMAGE_BYTES: bytes(0, 2 ** 40)
    .prefault('1073741824')
    .describe('a number of bytes; 0 for none'),
};

export interface ImageConfig {
  /** Maximum number of pixels of an uploaded image. */
  readonly imagePixels: number;
  /** Widths and heights in which everybody may ask for images, in pixels. */
  readonly imageLengths: readonly number[];
  /** Space for images that were made by address, in bytes; 0: none are made. */
  readonly imageBytes: number;
}

interface Read {
  readonly IMAGE_PIXELS: number;
  readonly IMAGE_LENGTHS: readonly number[];
  readonly IMAGE_BYTES: number;
}

export function imagesIn({ IMAGE_PIXELS, IMAGE_LENGTHS, IMAGE_BYTES }: Read): ImageConfig {
  return { imagePixels: IMAGE_PIXELS, imageLengths: IMAGE_LENGTHS, imageBytes: IMAGE_BYTES };
}
