import type { FitEnum, Metadata, Sharp } from 'sharp';
import type { ImageArea } from '#domain/media/editing.ts';
import type { Dimensions } from '#domain/media/sizes.ts';

export interface Seen extends Dimensions {
  /** EXIF orientation, 1 to 8; 0: not specified. */
  readonly orientation: number;
  /** More than 1: it is animated. */
  readonly frames: number;
}

export interface Pixels {
  readonly data: Buffer;
  readonly raw: { readonly width: number; readonly height: number; readonly channels: 1 | 2 | 3 | 4 };
}

export interface Decoder {
  /** Reads only the header; null if it is invalid. */
  lookAt(path: string): Promise<Seen | null>;
  /** Decodes the image upright in a size; null if it is invalid. */
  decode(path: string, size: Dimensions): Promise<Pixels | null>;
  /** `crops`: fills the size and cuts off the edges; otherwise the size already has the image's proportions. */
  encode(pixels: Pixels, size: Dimensions & { readonly crops: boolean }): Promise<Buffer>;
  /** Makes a view of an image, upright, with all its frames if it `moves`; null if it is invalid. Margins are transparent, or white. */
  view(
    path: string,
    how: Dimensions & { readonly fit: keyof FitEnum; readonly moves: boolean },
  ): Promise<Buffer | null>;
  crop(pixels: Pixels, area: ImageArea): Promise<Pixels>;
  /** Rotates clockwise, in degrees. Uncovered areas are transparent, or black if the format has no transparency. */
  turn(pixels: Pixels, degrees: number): Promise<Pixels>;
  mirror(pixels: Pixels, how: { readonly horizontal: boolean; readonly vertical: boolean }): Promise<Pixels>;
}

const writers: Readonly<Record<string, (image: Sharp) => Sharp>> = {
  'image/jpeg': (image) => image.jpeg({ quality: 82 }),
  'image/png': (image) => image.png(),
  'image/webp': (image) => image.webp({ quality: 86 }),
  'image/avif': (image) => image.avif({ quality: 60, effort: 2 }),
  'image/gif': (image) => image.gif(),
};

/** Only loaders of these formats are enabled, since each processes untrusted bytes. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Heif', 'Nsgif'].map((format) => `VipsForeignLoad${format}`);
const transparent = { r: 0, g: 0, b: 0, alpha: 0 };
/** Maximum number of seconds per image. */
const patience = 120;

/** Loads the decoder and encoder of a format; null if there is none. */
export async function loadDecoder(type: string): Promise<Decoder | null> {
  const write = writers[type];
  if (write === undefined) return null;
  const sharp = await loadLibrary();
  const rawOf = async (image: Sharp): Promise<Pixels> => {
    const made = image.timeout({ seconds: patience }).raw().toBuffer({ resolveWithObject: true });
    return made.then(({ data, info }) => ({ data, raw: info }));
  };
  const opened = ({ data, raw }: Pixels) => sharp(data, { raw, limitInputPixels: false });
  // The caller has checked the size before anything is decoded.
  const reading = { limitInputPixels: false, failOn: 'error', sequentialRead: true } as const;
  return {
    lookAt: (path) =>
      sharp(path, reading)
        .metadata()
        .then(seenIn, () => null),
    async decode(path, { width, height }) {
      const image = sharp(path, reading).autoOrient().resize(width, height, { fit: 'fill' }).toColourspace('srgb');
      return rawOf(image).catch(() => null);
    },
    async view(path, { width, height, fit, moves }) {
      const image = sharp(path, { ...reading, animated: moves });
      const sized = (moves ? image : image.autoOrient())
        .resize(width, height, { fit, background: transparent })
        .toColourspace('srgb');
      const shown = type === 'image/jpeg' ? sized.flatten({ background: 'white' }) : sized;
      return write(shown)
        .timeout({ seconds: patience })
        .toBuffer()
        .catch(() => null);
    },
    crop: (pixels, area) => rawOf(opened(pixels).extract(area)),
    turn: (pixels, degrees) => rawOf(opened(pixels).rotate(degrees, { background: transparent })),
    mirror: (pixels, { horizontal, vertical }) => rawOf(opened(pixels).flop(horizontal).flip(vertical)),
    encode: ({ data, raw }, { width, height, crops }) =>
      write(sharp(data, { raw, limitInputPixels: false }).resize(width, height, { fit: crops ? 'cover' : 'fill' }))
        .timeout({ seconds: patience })
        .toBuffer(),
  };
}

/** Whether images of a type are decoded here. */
export function isDecoded(type: string): boolean {
  return Object.hasOwn(writers, type);
}

let library: Promise<typeof import('sharp').default> | undefined;

function loadLibrary(): Promise<typeof import('sharp').default> {
  library ??= import('sharp').then(({ default: sharp }) => {
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: loaders });
    // Each image is read only once.
    sharp.cache(false);
    return sharp;
  });
  return library;
}

function seenIn({ width, height, orientation = 0, pages = 1 }: Metadata): Seen {
  return { width, height, orientation, frames: pages };
}
