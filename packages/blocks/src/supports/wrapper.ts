import { isNumber, isSet, mapAt, styleText, textAt, valueAt } from '../attributes.ts';
import { blockTypes } from '../block-types/all.ts';
import { usuallyRendered } from '../block-types/block-type.ts';
import { filterStyle } from '../filter-style.ts';
import type { JsonMap, JsonValue } from '../ordered-json.ts';
import { escapeAttribute } from '../references.ts';
import { kebabCase } from './class-names.ts';
import { fluidSize } from './fluid-size.ts';

export interface OwnAttributes {
  readonly classes?: readonly string[];
  readonly style?: string;
  readonly more?: Readonly<Record<string, string>>;
}

type Declaration = readonly [property: string, value: string];

interface Share {
  readonly classes: readonly string[];
  readonly style: readonly Declaration[];
}

const NOTHING: Share = { classes: [], style: [] };
const SIDES = ['top', 'right', 'bottom', 'left'];

const TEXT_PROPERTIES = {
  fontStyle: 'font-style',
  fontWeight: 'font-weight',
  lineHeight: 'line-height',
  textDecoration: 'text-decoration',
  textTransform: 'text-transform',
  letterSpacing: 'letter-spacing',
  writingMode: 'writing-mode',
};

/** `style`, `class`, `id` and other attributes of a server-rendered block's outer element, as written in its tag. */
export function wrapperAttributes(name: string, attributes: JsonMap, own: OwnAttributes = {}): string {
  const supports = blockTypes.get(name)?.rendered ?? usuallyRendered;
  const shares = [
    ...(supports.has('color')
      ? [colours(attributes)]
      : supports.has('background')
        ? [backgroundColours(attributes)]
        : []),
    ...(supports.has('typography') ? [typography(attributes)] : []),
    ...(supports.has('border') ? [border(attributes)] : []),
    ...(supports.has('spacing') ? [spacing(attributes)] : []),
  ];
  const align = supports.has('align') ? textAt(attributes, 'align') : undefined;
  const classes = [
    ...(own.classes ?? []),
    isSet(align) ? `align${align}` : '',
    textAt(attributes, 'className') ?? '',
    `wp-block-${name.replace(/^core\//, '').replace('/', '-')}`,
    ...shares.flatMap((share) => share.classes),
  ];
  const style = [(own.style ?? '').replace(/;$/, ''), ...shares.map((share) => declared(share.style))];
  const written = {
    style: style.filter((part) => part !== '').join(';'),
    class: [...new Set(classes)].filter((className) => className !== '').join(' '),
    id: supports.has('anchor') ? (textAt(attributes, 'anchor') ?? '') : '',
  };
  return [...Object.entries(written).filter(([, value]) => value !== ''), ...Object.entries(own.more ?? {})]
    .map(([attribute, value]) => `${attribute}="${escapeAttribute(value)}"`)
    .join(' ');
}

export interface WrittenTag {
  readonly classes: string;
  readonly style: string;
}

export function colourAttributes(attributes: JsonMap): WrittenTag {
  return writtenShare(colours(attributes));
}

export function borderAttributes(attributes: JsonMap): WrittenTag {
  return writtenShare(border(attributes));
}

function writtenShare({ classes, style }: Share): WrittenTag {
  return {
    classes: [...new Set(classes)].join(' '),
    style: declared(style),
  };
}

/** Values are as users sent them, so that one can hold further declarations. */
function declared(style: readonly Declaration[]): string {
  return filterStyle(style.map(([property, value]) => `${property}:${value}`).join(';'));
}

function colours(attributes: JsonMap): Share {
  const text = presetOr(attributes, 'textColor', ['color', 'text'], 'color');
  const shown = text === undefined ? NOTHING : one(text, { mark: 'has-text-color', end: 'color', property: 'color' });
  return joined(shown, backgroundColours(attributes));
}

function backgroundColours(attributes: JsonMap): Share {
  const colour = presetOr(attributes, 'backgroundColor', ['color', 'background'], 'color');
  const gradient = presetOr(attributes, 'gradient', ['color', 'gradient'], 'gradient');
  const mark = 'has-background';
  return joined(
    colour === undefined ? NOTHING : one(colour, { mark, end: 'background-color', property: 'background-color' }),
    gradient === undefined ? NOTHING : one(gradient, { mark, end: 'gradient-background', property: 'background' }),
  );
}

function typography(attributes: JsonMap): Share {
  const preset = textAt(attributes, 'fontFamily');
  const own = styleText(valueAt(attributes, 'style', 'typography', 'fontFamily'));
  const size = presetOr(attributes, 'fontSize', ['typography', 'fontSize'], 'font-size');
  const align = textAt(attributes, 'style', 'typography', 'textAlign');
  const families = isSet(preset)
    ? one(`var:preset|font-family|${preset}`, { end: 'font-family', property: 'font-family' })
    : { classes: [], style: plain('font-family', own) };
  const sizes = size === undefined ? NOTHING : one(fluid(size), { end: 'font-size', property: 'font-size' });
  const others = Object.entries(TEXT_PROPERTIES).flatMap(([key, property]) => {
    const value = styleText(valueAt(attributes, 'style', 'typography', key));
    return value === undefined ? [] : [[property, presetValue(value)] as const];
  });
  return {
    classes: [...families.classes, ...sizes.classes, ...(isSet(align) ? [`has-text-align-${align}`] : [])],
    style: [...sizes.style, ...families.style, ...others],
  };
}

function fluid(size: string): string {
  const text = /^(?:\d+|\d*\.\d+)$/.test(size) ? `${size}px` : size;
  return text.includes('var:') ? text : fluidSize(text);
}

function border(attributes: JsonMap): Share {
  const given = mapAt(attributes, 'style', 'border') ?? new Map();
  const colour = presetOr(attributes, 'borderColor', ['border', 'color'], 'color');
  const shown =
    colour === undefined
      ? NOTHING
      : one(colour, { mark: 'has-border-color', end: 'border-color', property: 'border-color' });
  const style = [
    ...box('border-%-radius', 'border-radius', length(given.get('radius'))),
    ...plain('border-style', given.get('style')),
    ...plain('border-width', length(given.get('width'))),
    ...SIDES.flatMap((side) => borderSide(side, mapAt(given, side))),
  ];
  return { classes: shown.classes, style: [...shown.style, ...style] };
}

function borderSide(side: string, given: JsonMap | undefined): Declaration[] {
  if (given === undefined) return [];
  return ['width', 'color', 'style'].flatMap((key) => plain(`border-${side}-${key}`, given.get(key)));
}

function spacing(attributes: JsonMap): Share {
  const style = ['padding', 'margin'].flatMap((key) =>
    box(`${key}-%`, key, valueAt(attributes, 'style', 'spacing', key)),
  );
  return { classes: [], style };
}

function box(sided: string, all: string, value: JsonValue | undefined): Declaration[] {
  if (!(value instanceof Map)) return plain(all, isNumber(value) ? pixels(value) : value);
  return [...value].flatMap(([side, one]) => plain(sided.replace('%', kebabCase(side)), one));
}

function plain(property: string, value: JsonValue | undefined): Declaration[] {
  const text = styleText(value);
  return text === undefined ? [] : [[property, presetValue(text)]];
}

/** A number without a unit is in pixels. */
function length(value: JsonValue | undefined): JsonValue | undefined {
  const text = isNumber(value) ? value.number : value;
  return typeof text === 'string' && /^\s*[+-]?(?:\d+|\d*\.\d+)$/.test(text) ? `${text.trim()}px` : value;
}

function pixels(value: JsonValue | undefined): JsonValue | undefined {
  return isNumber(value) && Number(value.number) !== 0 ? `${value.number}px` : undefined;
}

/** The preset as `var:preset|kind|name`, or the style's own value if no preset is set. */
function presetOr(attributes: JsonMap, preset: string, path: readonly string[], kind: string): string | undefined {
  const name = textAt(attributes, preset);
  return isSet(name) ? `var:preset|${kind}|${name}` : styleText(valueAt(attributes, 'style', ...path));
}

interface Target {
  readonly mark?: string;
  readonly end: string;
  readonly property: string;
}

function one(value: string, { mark, end, property }: Target): Share {
  const marks = mark === undefined ? [] : [mark];
  if (!value.includes('var:')) return { classes: marks, style: [[property, value]] };
  const slug = kebabCase(value.slice(value.lastIndexOf('|') + 1));
  return { classes: slug === '' ? marks : [...marks, `has-${slug}-${end}`], style: [] };
}

function joined(...shares: readonly Share[]): Share {
  return { classes: shares.flatMap(({ classes }) => classes), style: shares.flatMap(({ style }) => style) };
}

/** Converts `var:preset|spacing|20` to a CSS variable. */
function presetValue(value: string): string {
  const found = /^var:preset\|([^|]+)\|([^|]+)$/.exec(value);
  return found === null ? value : `var(--wp--preset--${found[1]}--${kebabCase(found[2] ?? '')})`;
}
