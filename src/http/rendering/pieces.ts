import { textAttribute } from '#text/block-attributes.ts';
import type { JsonMap } from '#text/ordered-json.ts';

/** Pieces of markup that several kinds of blocks have. */

/** The class for how the text of a block is aligned. */
export function aligned(attributes: JsonMap): readonly string[] {
  const align = textAttribute(attributes, 'textAlign');
  return align === '' ? [] : [`has-text-align-${align}`];
}
