import { hash } from 'node:crypto';
import { isSet, mapAt, textAt, valueAt } from '../attributes.ts';
import { blockTypes } from '../block-types/all.ts';
import type { Counters } from '../counters.ts';
import { encodeJson, type JsonMap, type JsonValue } from '../ordered-json.ts';

const COLOURED = ['button', 'heading', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6'];

const SECTIONS = 'section-1 section-2 section-3 section-4 section-5';
const TEXTS = 'text-display text-subtitle text-annotation';

/** Style variations for which the site has rules. */
const VARIATIONS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    button: 'outline',
    column: SECTIONS,
    columns: SECTIONS,
    group: SECTIONS,
    heading: TEXTS,
    paragraph: TEXTS,
    'post-terms': 'post-terms-1',
    quote: 'plain',
    separator: 'wide',
  }).map(([name, variations]) => [`core/${name}`, variations.split(' ')]),
);

const [LOWER, UPPER] = ['a-z\\xdf-\\xf6\\xf8-\\xff', 'A-Z\\xc0-\\xd6\\xd8-\\xde'];
const BREAK = '\\xac\\xb1\\xd7\\xf7\\x00-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\xbf\\u2000-\\u206f\\s';
const OTHER = `[^${BREAK}\\d${LOWER}${UPPER}]`;
const SMALL = `(?:[${LOWER}]|${OTHER})`;
const WORD = new RegExp(
  [
    `[${UPPER}]?[${LOWER}]+(?=[${BREAK}]|[${UPPER}]|$)`,
    `(?:[${UPPER}]|${OTHER})+(?=[${BREAK}]|[${UPPER}]${SMALL}|$)`,
    `[${UPPER}]?${SMALL}+`,
    `[${UPPER}]+`,
    '\\d+',
  ].join('|'),
  'gu',
);

/** Adds numbered classes to `className` if the block's link or heading colours, or its style variation, need separate rules. */
export function numberClasses(name: string, attributes: JsonMap, counters: Counters): void {
  if (attributes.size === 0) return;
  const variation = variationIn(name, textAt(attributes, 'className') ?? '');
  if (variation !== undefined) append(attributes, `is-style-${variation}--${counters.next()}`);
  if (hasElements(name, attributes)) append(attributes, `wp-elements-${counters.next('elements')}`);
}

/** The class for elements of a block, taken from its `className`. */
export function elementsClass(attributes: JsonMap): string {
  return /\bwp-elements-\S+\b/.exec(textAt(attributes, 'className') ?? '')?.[0] ?? '';
}

/** The class for a block's style variation, taken from its `className`. */
export function variationClass(attributes: JsonMap): string {
  const words = (textAt(attributes, 'className') ?? '').split(/\s+/);
  // In a word only the first beginning can be followed by a number, if any is.
  const found = words.map((word) => /^is-style-\S+?--\d+\b/.exec(word.slice(word.search(/\bis-style-\S/)))?.[0]);
  return found.find((one) => one !== undefined) ?? '';
}

function variationIn(name: string, className: string): string | undefined {
  const styled = VARIATIONS.get(name);
  if (styled === undefined || className === '') return undefined;
  const named = [...className.matchAll(/\bis-style-(?!default)(\S+)\b/g)].map(([, variation = '']) => variation);
  return named.find((variation) => styled.includes(variation));
}

function hasElements(name: string, attributes: JsonMap): boolean {
  const elements = mapAt(attributes, 'style', 'elements');
  if (elements === undefined || blockTypes.get(name)?.own.has('color') === true) return false;
  if (isGiven(elements, 'link', 'color', 'text') || isGiven(elements, 'link', ':hover', 'color', 'text')) return true;
  return COLOURED.some((element) =>
    ['text', 'background', 'gradient'].some((kind) => isGiven(elements, element, 'color', kind)),
  );
}

function isGiven(map: JsonMap, ...path: readonly string[]): boolean {
  return valueAt(map, ...path) !== undefined;
}

function append(attributes: JsonMap, className: string): void {
  const given = attributes.get('className');
  attributes.set('className', isSet(given) && typeof given === 'string' ? `${given} ${className}` : className);
}

/** A name in lower case, with words and numbers joined by `-`: `Vivid Red` and `vividRed` become `vivid-red`. */
export function kebabCase(name: string): string {
  const words = name.replaceAll("'", '').match(WORD) ?? [];
  return words.join('-').replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function shortHash(value: JsonValue): string {
  return hash('md5', encodeJson(value), 'hex').slice(0, 8);
}
