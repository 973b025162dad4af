/** The sizes that each image is stored in besides its own, and their dimensions (interface behaviour, section 22). */

export interface Dimensions {
  readonly width: number;
  readonly height: number;
}

export interface Cut extends Dimensions {
  readonly name: string;
  /** Whether the box is filled, which cuts off part of the image. */
  readonly crops: boolean;
}

interface Size {
  readonly name: string;
  /** Maximum dimensions; 0: unlimited. */
  readonly box: Dimensions;
  readonly crops: boolean;
}

const sizes: readonly Size[] = [
  { name: 'medium', box: { width: 300, height: 300 }, crops: false },
  { name: 'large', box: { width: 1024, height: 1024 }, crops: false },
  { name: 'thumbnail', box: { width: 150, height: 150 }, crops: true },
  { name: 'medium_large', box: { width: 768, height: 0 }, crops: false },
  { name: '1536x1536', box: { width: 1536, height: 1536 }, crops: false },
  { name: '2048x2048', box: { width: 2048, height: 2048 }, crops: false },
];

export const largestShown: Dimensions = { width: 2560, height: 2560 };

/** The box of a size; undefined if the name is unknown. */
export function boxOf(size: string): Dimensions | undefined {
  return sizes.find(({ name }) => name === size)?.box;
}

/** The sizes to make of an image: those smaller than the image. */
export function cutsOf(image: Dimensions): readonly Cut[] {
  return sizes.flatMap(({ name, box, crops }) => {
    if (!reaches(image, box)) return [];
    const cut = crops ? cropped(image, box) : fitted(image, box);
    return isSameSize(cut, image) ? [] : [{ name, crops, ...cut }];
  });
}

/** Scales an image down into a box, keeping its proportions. */
export function fitted(image: Dimensions, box: Dimensions): Dimensions {
  const [byWidth, byHeight] = [ratioTo(image.width, box.width), ratioTo(image.height, box.height)];
  const ratio = Math.min(byWidth, byHeight);
  const generous = scaled(image, Math.max(byWidth, byHeight));
  // The larger ratio may exceed the box by less than half a pixel: then it fits after rounding and fills the box.
  if (generous.width <= box.width && generous.height <= box.height) return generous;
  const { width, height } = scaled(image, ratio);
  // A side that rounding leaves one pixel short is rounded up, so that fitting the result again does not shrink it.
  return {
    width: byWidth < 1 && byWidth === ratio && width === box.width - 1 ? box.width : width,
    height: byHeight < 1 && byHeight === ratio && height === box.height - 1 ? box.height : height,
  };
}

/** Whether one image is the other scaled, within a pixel, so that they are interchangeable. */
export function alikeInShape(a: Dimensions, b: Dimensions): boolean {
  const [large, small] = a.width > b.width ? [a, b] : [b, a];
  return isSameSize(fitted(large, { width: small.width, height: 0 }), small);
}

function ratioTo(length: number, max: number): number {
  return max > 0 && length > max ? max / length : 1;
}

function scaled({ width, height }: Dimensions, ratio: number): Dimensions {
  return { width: Math.max(1, Math.round(width * ratio)), height: Math.max(1, Math.round(height * ratio)) };
}

function cropped(image: Dimensions, box: Dimensions): Dimensions {
  return { width: Math.min(box.width, image.width), height: Math.min(box.height, image.height) };
}

function reaches({ width, height }: Dimensions, box: Dimensions): boolean {
  return (box.width > 0 && width >= box.width) || (box.height > 0 && height >= box.height);
}

export function isSameSize(a: Dimensions, b: Dimensions): boolean {
  return Math.abs(a.width - b.width) <= 1 && Math.abs(a.height - b.height) <= 1;
}
