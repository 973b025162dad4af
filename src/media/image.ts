import type { StoredFile } from '#domain/media/commands.ts';
import { type Cut, cutsOf, type Dimensions, fitted, isSameSize, largestShown } from '#domain/media/sizes.ts';
import { viewBox, type WantedView } from '#domain/media/view.ts';
import { type Decoder, loadDecoder, type Pixels, type Seen } from './decoder.ts';
import type { Arrived } from './receive.ts';

export type ImageReport = Pick<StoredFile, 'image' | 'shown' | 'sizes' | 'missing'>;

export interface ImageWork {
  readonly type: string;
  /** Maximum number of pixels of an image. */
  readonly pixels: number;
  readonly resizes: boolean;
  readonly keep: (bytes: Buffer) => Promise<{ readonly hash: string; readonly bytes: number }>;
}

export const noImage: ImageReport = { image: null, shown: null, sizes: [], missing: [] };

/** Types of which images can move. */
const MOVING: ReadonlySet<string> = new Set(['image/gif', 'image/webp']);
/** Orientations from this one on swap width and height. */
const LYING = 5;

/**
 * Examines an image and makes its smaller sizes, always upright. Null if it has too many pixels. An image that cannot be decoded gets no
 * sizes.
 */
export async function processImage(file: Arrived, work: ImageWork): Promise<ImageReport | null> {
  const decoder = await loadDecoder(work.type);
  const found = decoder === null ? dimensionsIn(work.type, file.head) : await decoder.lookAt(file.path);
  if (found === null) return noImage;
  const { width, height, orientation, frames } = found;
  const image = { width, height, orientation };
  if (width * height > work.pixels) return null;
  const upright = uprightOf(found);
  const size = fitted(upright, largestShown);
  const pixels = (await decoder?.decode(file.path, size)) ?? null;
  if (decoder === null || pixels === null)
    return { ...noImage, image, missing: cutsOf(upright).map(({ name }) => name) };
  const suffix = frames > 1 ? null : suffixOf(upright, orientation);
  const encode = () => decoder.encode(pixels, { ...size, crops: false });
  const shown = suffix === null ? null : { suffix, ...size, ...(await work.keep(await encode())) };
  return { image, shown, ...(await makeSizes({ decoder, pixels, cuts: cutsOf(upright) }, work)) };
}

/** Cuts a size from the middle of an upright image, which must not be smaller; null if it is unreadable. */
export async function cutImage(path: string, type: string, size: Dimensions): Promise<Buffer | null> {
  const decoder = await loadDecoder(type);
  const seen = await decoder?.lookAt(path);
  if (!decoder || !seen) return null;
  const upright = uprightOf(seen);
  // Decodes only as many pixels as the size needs.
  const ratio = Math.max(size.width / upright.width, size.height / upright.height);
  const filled = {
    width: Math.max(size.width, Math.round(upright.width * ratio)),
    height: Math.max(size.height, Math.round(upright.height * ratio)),
  };
  const pixels = await decoder.decode(path, filled);
  return pixels === null ? null : decoder.encode(pixels, { ...size, crops: true });
}

/** Why there is no view of an image: it is unreadable, or has too many pixels. */
export type ViewFault = 'unreadable' | 'pixels';

interface ViewWork extends Pick<ImageWork, 'type' | 'pixels'> {
  readonly view: WantedView;
}

/** Makes a view in a type. Only types that move keep the frames of an image, and only if these have few enough pixels together. */
export async function viewImage(path: string, { view, type, pixels }: ViewWork): Promise<Buffer | ViewFault> {
  const decoder = await loadDecoder(type);
  const seen = await decoder?.lookAt(path);
  if (!decoder || !seen) return 'unreadable';
  const all = seen.width * seen.height;
  if (all > pixels) return 'pixels';
  const moves = seen.frames > 1 && MOVING.has(type) && all * seen.frames <= pixels;
  const how = { ...viewBox(view, uprightOf(seen)), fit: view.fit, moves };
  return (await decoder.view(path, how)) ?? 'unreadable';
}

/** Makes the named sizes of a stored image; empty if it is unreadable. */
export async function makeMissing(
  path: string,
  { type, names }: { readonly type: string; readonly names: readonly string[] },
  keep: ImageWork['keep'],
): Promise<ImageReport['sizes']> {
  const decoder = await loadDecoder(type);
  const seen = await decoder?.lookAt(path);
  if (!decoder || !seen) return [];
  const upright = uprightOf(seen);
  const pixels = await decoder.decode(path, fitted(upright, largestShown));
  if (pixels === null) return [];
  const cuts = cutsOf(upright).filter(({ name }) => names.includes(name));
  return (await makeSizes({ decoder, pixels, cuts }, { resizes: true, keep })).sizes;
}

export function uprightOf({ width, height, orientation }: Dimensions & { readonly orientation: number }): Dimensions {
  return orientation < LYING ? { width, height } : { width: height, height: width };
}

interface Making {
  readonly decoder: Decoder;
  readonly pixels: Pixels;
  readonly cuts: readonly Cut[];
}

async function makeSizes(
  { decoder, pixels, cuts }: Making,
  work: Pick<ImageWork, 'resizes' | 'keep'>,
): Promise<Pick<ImageReport, 'sizes' | 'missing'>> {
  if (!work.resizes) return { sizes: [], missing: cuts.map(({ name }) => name) };
  const sizes: ImageReport['sizes'][number][] = [];
  for (const cut of cuts) {
    const { name, width, height } = cut;
    sizes.push({ name, width, height, ...(await work.keep(await decoder.encode(pixels, cut))) });
  }
  return { sizes, missing: [] };
}

function suffixOf(upright: Dimensions, orientation: number): 'scaled' | 'rotated' | null {
  if (!isSameSize(fitted(upright, largestShown), upright)) return 'scaled';
  return orientation > 1 ? 'rotated' : null;
}

/** Dimensions of an image whose format is not decoded here, from its first bytes; null if they are invalid. */
function dimensionsIn(type: string, head: Buffer): Seen | null {
  const found = type === 'image/bmp' ? inBitmap(head) : type === 'image/x-icon' ? inIcon(head) : null;
  if (found === null || found.width < 1 || found.height < 1) return null;
  return { ...found, orientation: 0, frames: 1 };
}

function inBitmap(head: Buffer) {
  if (head.length < 26 || head.readUInt32LE(14) < 40) return null;
  // A negative height means that rows are stored top-down.
  return { width: head.readInt32LE(18), height: Math.abs(head.readInt32LE(22)) };
}

function inIcon(head: Buffer) {
  if (head.length < 22) return null;
  const count = Math.min(head.readUInt16LE(4), Math.floor((head.length - 6) / 16));
  const pictures = Array.from({ length: count }, (_, i) => ({
    // One byte each; 0 means 256.
    width: head[6 + 16 * i] || 256,
    height: head[7 + 16 * i] || 256,
  }));
  return pictures.sort((a, b) => b.width * b.height - a.width * a.height)[0] ?? null;
}
