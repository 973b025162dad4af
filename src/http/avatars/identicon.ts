import { createHash } from 'node:crypto';
import { type Colour, squarePng } from './png.ts';

/** Squares per side. The left half is mirrored. */
const FIELDS = 5;
const PAPER: Colour = [240, 240, 240];

/** An abstract picture for a person, always the same for the same text. `side` in pixels. */
export function identicon(text: string, side: number): Buffer {
  const digest = createHash('sha256').update(text).digest();
  const half = Math.ceil(FIELDS / 2);
  const fields = Array.from({ length: FIELDS * half }, (_, i) => ((digest[2 + i] ?? 0) & 1) === 1);
  // No picture is empty.
  fields[half * 2 + 1] ||= !fields.includes(true);
  const hue = digest.readUInt16BE(0) % 360;
  const fieldOf = (pixel: number) => Math.floor(((pixel + 0.5) * (FIELDS + 1)) / side - 0.5);
  const isInk = (x: number, row: number) => {
    const column = fieldOf(x);
    if (column < 0 || row < 0 || column >= FIELDS || row >= FIELDS) return false;
    return fields[row * half + Math.min(column, FIELDS - 1 - column)] === true;
  };
  return squarePng({ side, colours: [PAPER, colourOf(hue)], rowAt: fieldOf, isInk });
}

function colourOf(hue: number): Colour {
  const part = (shift: number): number => {
    const k = (shift + hue / 30) % 12;
    return Math.round(255 * (LIGHTNESS - SATURATION * LIGHTNESS * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [part(0), part(8), part(4)];
}

const LIGHTNESS = 0.4;
const SATURATION = 0.55;
