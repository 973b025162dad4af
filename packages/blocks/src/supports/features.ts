import { isNumber, isSet, mapAt, styleText, textAt, valueAt } from '../attributes.ts';
import { filterStyle } from '../filter-style.ts';
import type { JsonMap, JsonValue } from '../ordered-json.ts';
import { kebabCase } from './class-names.ts';
import { fluidSize } from './fluid-size.ts';

type Declaration = readonly [property: string, value: string];

/** What a feature adds to an element. */
interface Share {
  readonly classes: readonly string[];
  readonly style: readonly Declaration[];
}

/** Classes, and the text of `style`. */
export interface WrittenTag {
  readonly classes: readonly string[];
  readonly style: string;
}

/** The name of a feature, and what it adds. */
type Feature = readonly [name: string, show: (attributes: JsonMap) => Share];

interface Kept {
  /** Attribute with the name of a preset. */
  readonly preset: string;
  /** Kind of these presets. */
  readonly kind: string;
  readonly property: string;
  /** End of the class for a preset. */
  readonly end: string;
  /** Class for any value. */
  readonly mark?: string;
}

const NOTHING: Share = { classes: [], style: [] };
const SIDES = ['top', 'right', 'bottom', 'left'];

/** Every feature, in the order in which outer elements show them. A feature can have several rows. */
const FEATURES: readonly Feature[] = [
  kept('color.text', {
    preset: 'textColor',
    kind: 'color',
    property: 'color',
    end: 'color',
    mark: 'has-text-color',
  }),
  kept('color.background', {
    preset: 'backgroundColor',
    kind: 'color',
    property: 'background-color',
    end: 'background-color',
    mark: 'has-background',
  }),
  kept(
    'color.gradients',
    {
      preset: 'gradient',
      kind: 'gradient',
      property: 'background',
      end: 'gradient-background',
      mark: 'has-background',
    },
    ['color', 'gradient'],
  ),
  // The class for a font comes before that for a size, but a font of its own after it.
  ['typography.fontFamily', (attributes) => presetFont(attributes)],
  kept('typography.fontSize', { preset: 'fontSize', kind: 'font-size', property: 'font-size', end: 'font-size' }),
  ['typography.fontFamily', (attributes) => ownFont(attributes)],
  plain('typography.fontStyle', 'font-style'),
  plain('typography.fontWeight', 'font-weight'),
  plain('typography.lineHeight', 'line-height'),
  plain('typography.textDecoration', 'text-decoration'),
  plain('typography.textTransform', 'text-transform'),
  plain('typography.letterSpacing', 'letter-spacing'),
  plain('typography.writingMode', 'writing-mode'),
  ['typography.textAlign', (attributes) => textAlignment(attributes)],
  kept('border.color', {
    preset: 'borderColor',
    kind: 'color',
    property: 'border-color',
    end: 'border-color',
    mark: 'has-border-color',
  }),
  ['border.radius', (attributes) => corners(attributes)],
  plain('border.style', 'border-style'),
  ['border.width', (attributes) => styled('border-width', length(valueAt(attributes, 'style', 'border', 'width')))],
  ['border.sides', (attributes) => sides(attributes, ['width', 'color', 'style'])],
  spacing('padding'),
  spacing('margin'),
  plain('dimensions.minHeight', 'min-height', 'dimension'),
  plain('dimensions.width', 'width', 'dimension'),
  plain('shadow', 'box-shadow', 'shadow'),
];

/** The groups in the order in which parts of blocks show them. */
const GROUPS = ['color', 'border', 'shadow', 'dimensions', 'spacing', 'typography'];
const PART_FEATURES: readonly Feature[] = GROUPS.flatMap((group) =>
  FEATURES.filter(([name]) => name.split('.')[0] === group).map(
    (feature): Feature =>
      feature[0] === 'border.sides' ? [feature[0], (given) => sides(given, ['color', 'style', 'width'])] : feature,
  ),
);

/** What an outer element shows of a block's attributes. */
export function outerFeatures(attributes: JsonMap, shows: (feature: string) => boolean): WrittenTag {
  return written(FEATURES, attributes, shows);
}

/** What a block shows of its attributes on another element. */
export function partFeatures(attributes: JsonMap, features: ReadonlySet<string>): WrittenTag {
  return written(PART_FEATURES, attributes, (name) => features.has(name));
}

function written(all: readonly Feature[], attributes: JsonMap, shows: (feature: string) => boolean): WrittenTag {
  // Sides of a border belong to its colour and width.
  const isShown = (name: string): boolean =>
    name === 'border.sides' ? shows('border.color') || shows('border.width') : shows(name);
  const shares = all.filter(([name]) => isShown(name)).map(([, show]) => show(attributes));
  const style = shares.flatMap((share) => share.style);
  return {
    classes: [...new Set(shares.flatMap(({ classes }) => classes))],
    // Values are as users sent them, so that one can hold further declarations.
    style: style.length === 0 ? '' : filterStyle(style.map(([property, value]) => `${property}:${value}`).join(';')),
  };
}

/** A feature whose value is a preset, which becomes a class, or a value of the block's own. */
function kept(
  name: string,
  { preset, kind, property, end, mark }: Kept,
  path: readonly string[] = name.split('.'),
): Feature {
  return [
    name,
    (attributes) => {
      const named = textAt(attributes, preset);
      const own = styleText(valueAt(attributes, 'style', ...path));
      const value = isSet(named) ? `var:preset|${kind}|${named}` : own;
      if (value === undefined) return NOTHING;
      const marks = mark === undefined ? [] : [mark];
      if (!value.includes('var:'))
        return { classes: marks, style: [[property, kind === 'font-size' ? fluid(value) : value]] };
      const slug = slugOf(value, kind);
      return { classes: slug === '' ? marks : [...marks, `has-${slug}-${end}`], style: [] };
    },
  ];
}

/** A feature that is one declaration. `kind`: that of its presets. */
function plain(name: string, property: string, kind = property): Feature {
  const path = name.split('.');
  return [name, (attributes) => styled(property, valueAt(attributes, 'style', ...path), kind)];
}

function spacing(property: 'padding' | 'margin'): Feature {
  return [
    `spacing.${property}`,
    (attributes) => {
      const value = valueAt(attributes, 'style', 'spacing', property);
      if (!(value instanceof Map)) return styled(property, isNumber(value) ? pixels(value) : value, 'spacing');
      return joined([...value].map(([side, one]) => styled(`${property}-${kebabCase(side)}`, one, 'spacing')));
    },
  ];
}

function corners(attributes: JsonMap): Share {
  const value = length(valueAt(attributes, 'style', 'border', 'radius'));
  if (!(value instanceof Map)) return styled('border-radius', value);
  return joined([...value].map(([corner, one]) => styled(`border-${kebabCase(corner)}-radius`, one, 'border-radius')));
}

function sides(attributes: JsonMap, keys: readonly string[]): Share {
  return joined(
    SIDES.flatMap((side) => {
      const given = mapAt(attributes, 'style', 'border', side);
      return given === undefined ? [] : keys.map((key) => styled(`border-${side}-${key}`, given.get(key), 'color'));
    }),
  );
}

function presetFont(attributes: JsonMap): Share {
  const name = textAt(attributes, 'fontFamily');
  const slug = isSet(name) ? kebabCase(name ?? '') : '';
  return slug === '' ? NOTHING : { classes: [`has-${slug}-font-family`], style: [] };
}

function ownFont(attributes: JsonMap): Share {
  if (isSet(textAt(attributes, 'fontFamily'))) return NOTHING;
  return styled('font-family', valueAt(attributes, 'style', 'typography', 'fontFamily'));
}

function textAlignment(attributes: JsonMap): Share {
  const align = textAt(attributes, 'style', 'typography', 'textAlign');
  return isSet(align) ? { classes: [`has-text-align-${align}`], style: [] } : NOTHING;
}

/** A declaration; a preset becomes a CSS variable. Nothing for what is named otherwise. */
function styled(property: string, value: JsonValue | undefined, kind = property): Share {
  const text = styleText(value);
  if (text === undefined) return NOTHING;
  if (!text.includes('var:')) return { classes: [], style: [[property, text]] };
  const slug = slugOf(text, kind);
  return slug === '' ? NOTHING : { classes: [], style: [[property, `var(--wp--preset--${kind}--${slug})`]] };
}

/** The name of a preset of a kind, as in `var:preset|color|base`; '' for any other text. */
function slugOf(value: string, kind: string): string {
  return value.includes(`var:preset|${kind}|`) ? kebabCase(value.slice(value.lastIndexOf('|') + 1)) : '';
}

function joined(shares: readonly Share[]): Share {
  return { classes: shares.flatMap(({ classes }) => classes), style: shares.flatMap(({ style }) => style) };
}

function fluid(size: string): string {
  return fluidSize(/^(?:\d+|\d*\.\d+)$/.test(size) ? `${size}px` : size);
}

/** A number without a unit is in pixels. */
function length(value: JsonValue | undefined): JsonValue | undefined {
  const text = isNumber(value) ? value.number : value;
  return typeof text === 'string' && /^\s*[+-]?(?:\d+|\d*\.\d+)$/.test(text) ? `${text.trim()}px` : value;
}

function pixels(value: JsonValue | undefined): JsonValue | undefined {
  return isNumber(value) && Number(value.number) !== 0 ? `${value.number}px` : undefined;
}
