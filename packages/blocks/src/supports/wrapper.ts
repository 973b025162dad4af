import { isSet, textAt, valueAt } from '../attributes.ts';
import { blockTypes } from '../block-types/all.ts';
import type { BlockType } from '../block-types/block-type.ts';
import type { JsonMap } from '../ordered-json.ts';
import { escapeAttribute } from '../references.ts';
import { outerFeatures, partFeatures, type WrittenTag } from './features.ts';

export interface OwnAttributes {
  readonly classes?: readonly string[];
  /** Classes after those for the alignment of the text and the colour of links. */
  readonly last?: readonly string[];
  readonly style?: string;
  readonly more?: Readonly<Record<string, string>>;
}

/**
 * `style`, `class`, `id` and other attributes of a server-rendered block's outer element, as written in its tag. They show what the
 * block's type supports; of an unknown type, everything.
 */
export function wrapperAttributes(name: string, attributes: JsonMap, own: OwnAttributes = {}): string {
  const type = blockTypes.get(name);
  const shows = (feature: string): boolean =>
    type === undefined || (type.features.has(feature) && !type.own.has(feature));
  const shown = outerFeatures(attributes, shows);
  const align = shows('align') ? textAt(attributes, 'align') : undefined;
  const classes = [
    ...(own.classes ?? []),
    ...markClasses(type, attributes),
    ...(own.last ?? []),
    isSet(align) ? `align${align}` : '',
    shows('customClassName') ? (textAt(attributes, 'className') ?? '') : '',
    shows('className') ? `wp-block-${name.replace(/^core\//, '').replace('/', '-')}` : '',
    ...shown.classes,
  ];
  const written = {
    style: [shown.style, (own.style ?? '').replace(/;$/, '')].filter((part) => part !== '').join(';'),
    class: [...new Set(classes)].filter((className) => className !== '').join(' '),
    id: shows('anchor') ? (textAt(attributes, 'anchor') ?? '') : '',
  };
  return [...Object.entries(written).filter(([, value]) => value !== ''), ...Object.entries(own.more ?? {})]
    .map(([attribute, value]) => `${attribute}="${escapeAttribute(value)}"`)
    .join(' ');
}

/** What a block's attributes give to the element that shows them in place of the outer one. */
export function partAttributes(name: string, attributes: JsonMap): WrittenTag {
  const type = blockTypes.get(name);
  const { classes, style } = partFeatures(attributes, type?.own ?? new Set());
  return { classes: [...classes, ...(showsOwnColours(type) ? linkClasses(type, attributes) : [])], style };
}

/** Colours of a part of a block, whatever its type supports. */
export function colourAttributes(attributes: JsonMap): WrittenTag {
  return partFeatures(attributes, new Set(['color.text', 'color.background']));
}

/** The classes that a block adds itself for its attributes. */
function markClasses(type: BlockType | undefined, attributes: JsonMap): readonly string[] {
  const align = type?.marks.has('align') === true ? textAt(attributes, 'textAlign') : undefined;
  return [
    ...(isSet(align) ? [`has-text-align-${align}`] : []),
    ...(showsOwnColours(type) ? [] : linkClasses(type, attributes)),
  ];
}

function linkClasses(type: BlockType | undefined, attributes: JsonMap): readonly string[] {
  const colour = valueAt(attributes, 'style', 'elements', 'link', 'color', 'text');
  return type?.marks.has('link') === true && isSet(colour) ? ['has-link-color'] : [];
}

function showsOwnColours(type: BlockType | undefined): boolean {
  return type?.own.has('color.text') === true;
}
