import type { JsonMap } from './ordered-json.ts';
import { encodeAttribute } from './references.ts';

/** A block that is given an element of its own. */
export interface Wrapped {
  /** With namespace. */
  readonly name: string;
  readonly attributes: JsonMap;
}

/** What the block itself puts on the element. */
export interface OwnAttributes {
  readonly classes?: readonly string[];
  /** Styles without a semicolon at the end. */
  readonly style?: string;
}

/**
 * The attributes of the outer element of a block that the server makes: style, classes and id as its attributes say.
 * Begins with a blank.
 */
export function wrapperOf({ name, attributes }: Wrapped, { classes = [], style = '' }: OwnAttributes = {}): string {
  const align = textIn(attributes, 'align');
  const all = [...classes, align === '' ? '' : `align${align}`, textIn(attributes, 'className'), classOf(name)];
  return [
    ['style', style],
    ['class', all.filter((one) => one !== '').join(' ')],
    ['id', textIn(attributes, 'anchor')],
  ]
    .filter(([, value]) => value !== '')
    .map(([key, value = '']) => ` ${key}="${encodeAttribute(value)}"`)
    .join('');
}

/** The class that all blocks of a name have. */
export function classOf(name: string): string {
  return `wp-block-${name.replace(/^core\//, '').replaceAll('/', '-')}`;
}

function textIn(attributes: JsonMap, name: string): string {
  const value = attributes.get(name);
  return typeof value === 'string' ? value : '';
}
