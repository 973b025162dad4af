import { isSet, mapAt, textAt } from '#text/attributes.ts';
import type { JsonMap } from '#text/ordered-json.ts';

/** Pieces of markup that several kinds of blocks have. */

/** The classes for how the text of a block is aligned, and for colours of its links. */
export function aligned(attributes: JsonMap): readonly string[] {
  const align = textAt(attributes, 'textAlign');
  const hasLinkColour = isSet(mapAt(attributes, 'style', 'elements', 'link', 'color')?.get('text'));
  return [...(isSet(align) ? [`has-text-align-${align}`] : []), ...(hasLinkColour ? ['has-link-color'] : [])];
}
