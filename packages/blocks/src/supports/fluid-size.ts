import { isSet, textAt } from '../attributes.ts';
import type { Block } from '../blocks.ts';
import type { JsonMap } from '../ordered-json.ts';

interface Size {
  readonly value: number;
  readonly unit: string;
}

/** Font size of the root element in pixels. */
const ROOT = 16;
/** Viewport widths in pixels between which font sizes grow. */
const NARROW = 320;
const WIDE = 1340;
/** Minimum font size in pixels. */
const SMALLEST = 14;

/** Converts a font size to one that shrinks with the viewport; sizes in other units are unchanged. */
export function fluidSize(given: string): string {
  const size = readSize(given);
  if (size === null || size.value === 0) return given;
  const min = inUnit({ value: SMALLEST, unit: 'px' }, size.unit);
  if (size.value <= min.value) return given;
  const pixels = size.unit === 'px' ? size.value : size.value * ROOT;
  const factor = Math.min(Math.max(1 - 0.075 * Math.log2(pixels), 0.25), 0.75);
  const shrunk = rounded(size.value * factor);
  const smallest = shrunk <= min.value ? min : { value: shrunk, unit: size.unit };
  const [narrow, wide] = [NARROW, WIDE].map((value) => inUnit({ value, unit: 'px' }, size.unit).value);
  const offset = rounded((narrow ?? 0) / 100);
  const slope = rounded((100 * (size.value - smallest.value)) / ((wide ?? 0) - (narrow ?? 0))) || 1;
  const base = written(inUnit(smallest, 'rem'));
  return `clamp(${written(smallest)}, ${base} + ((1vw - ${offset}${size.unit}) * ${slope}), ${written(size)})`;
}

export function fluidParts(parts: readonly (string | Block)[], attributes: JsonMap): readonly (string | Block)[] {
  const given = textAt(attributes, 'style', 'typography', 'fontSize');
  if (given === undefined || given.length > longest || isSet(attributes.get('fitText'))) return parts;
  const size = fluidSize(given);
  if (size === given) return parts;
  const pattern = new RegExp(`font-size\\s*:\\s*${given.replaceAll('.', '\\.')}\\s*;?`);
  const at = parts.findIndex((part) => typeof part === 'string' && pattern.test(part));
  return parts.map((part, i) =>
    i === at && typeof part === 'string' ? part.replace(pattern, `font-size:${size};`) : part,
  );
}

/** Maximum characters of a size. */
const longest = 100;

function readSize(text: string): Size | null {
  const found = /^(\d+|\d*\.\d+)(rem|px|em)?$/.exec(text);
  return found === null ? null : { value: rounded(Number(found[1])), unit: found[2] ?? 'px' };
}

function inUnit({ value, unit }: Size, wanted: string): Size {
  if (unit === wanted || (unit !== 'px' && wanted !== 'px')) return { value, unit: wanted };
  return { value: rounded(wanted === 'px' ? value * ROOT : value / ROOT), unit: wanted };
}

function written({ value, unit }: Size): string {
  return `${value}${unit}`;
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
