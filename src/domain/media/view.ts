import { invalidParam, type Refusal } from '../kernel/refusal.ts';
import { type Dimensions, fitted, largestShown } from './sizes.ts';

/** How an image fills a box: `inside` fits into it, `cover` fills it and is cut off, `contain` gets margins. */
export const imageFits = ['inside', 'cover', 'contain'] as const;
export const imageFormats = { jpeg: 'image/jpeg', webp: 'image/webp', avif: 'image/avif', png: 'image/png' } as const;

/** A form of an image that an address asks for. */
export interface WantedView {
  /** Pixels; 0: as follows from the other side. */
  readonly w: number;
  readonly h: number;
  readonly fit: (typeof imageFits)[number];
  /** Name of its format; null: that of the image. */
  readonly fm: keyof typeof imageFormats | null;
}

/** Longest side that can be asked for. */
export const longestSide = 4096;

/** What a query asks for; null: nothing, the file as it is. */
export function viewIn(query: URLSearchParams): WantedView | Refusal | null {
  if (!['w', 'h', 'fit', 'fm'].some((name) => query.has(name))) return null;
  for (const name of ['w', 'h']) {
    const side = query.get(name);
    if (side !== null && !(/^[1-9]\d{0,3}$/.test(side) && Number(side) <= longestSide))
      return invalidParam(name, `${name} must be a whole number from 1 to ${longestSide}.`);
  }
  const fit = oneOf(imageFits, query.get('fit') ?? 'inside');
  if (fit === undefined) return invalidParam('fit', `fit must be one of ${imageFits.join(', ')}.`);
  const formats = Object.keys(imageFormats) as (keyof typeof imageFormats)[];
  const fm = query.has('fm') ? oneOf(formats, query.get('fm')) : null;
  if (fm === undefined) return invalidParam('fm', `fm must be one of ${formats.join(', ')}.`);
  return { w: Number(query.get('w') ?? 0), h: Number(query.get('h') ?? 0), fit, fm };
}

/** Why a view without a signature is refused; null: all may ask for it. */
export function viewFault({ w, h }: WantedView, lengths: readonly number[]): Refusal | null {
  const named = Object.entries({ w, h }).find(([, side]) => side !== 0 && !lengths.includes(side));
  if (named === undefined) return null;
  const others = 'Any other needs a signature, which media/ID/image gives to those who may upload.';
  return invalidParam(named[0], `${named[0]} must be one of ${lengths.join(', ')}. ${others}`);
}

/** The query of a view, always spelled the same. */
export function viewQuery({ w, h, fit, fm }: WantedView): string {
  const said = [w > 0 && `w=${w}`, h > 0 && `h=${h}`, fit !== 'inside' && `fit=${fit}`, fm !== null && `fm=${fm}`];
  return said.filter((part) => part !== false).join('&');
}

/** The size of a view of an upright image, which is never enlarged: a box that is larger becomes smaller in its own shape. */
export function viewBox({ w, h, fit }: WantedView, image: Dimensions): Dimensions {
  if (w === 0 && h === 0) return fitted(image, largestShown);
  const [byWidth, byHeight] = [image.width / (w || image.width), image.height / (h || image.height)];
  const isBoxed = w > 0 && h > 0 && fit !== 'inside';
  if (isBoxed) {
    const ratio = Math.min(1, fit === 'cover' ? Math.min(byWidth, byHeight) : Math.max(byWidth, byHeight));
    return { width: rounded(w * ratio), height: rounded(h * ratio) };
  }
  const ratio = Math.max(1, byWidth, byHeight);
  return { width: rounded(image.width / ratio), height: rounded(image.height / ratio) };
}

function rounded(length: number): number {
  return Math.max(1, Math.round(length));
}

function oneOf<T extends string>(all: readonly T[], given: string | null): T | undefined {
  return all.find((one) => one === given);
}
