import { isSet, textAt } from '#blocks/attributes.ts';
import { escapeAddress } from '#blocks/escape-address.ts';
import type { JsonMap } from '#blocks/ordered-json.ts';
import { escapeAttribute } from '#blocks/references.ts';
import { type OwnAttributes, wrapperAttributes } from '#blocks/supports/wrapper.ts';

export function wrapped(
  element: string,
  { name, attributes }: { readonly name: string; readonly attributes: JsonMap },
  inside: string,
  own: OwnAttributes = {},
): string {
  return `<${element} ${wrapperAttributes(name, attributes, own)}>${inside}</${element}>`;
}

/** The `rel` attribute that a block gives for a link, preceded by a space. */
export function relOf(attributes: JsonMap): string {
  const rel = textAt(attributes, 'rel');
  return isSet(rel) ? ` rel="${escapeAttribute(rel ?? '')}"` : '';
}

/** A form that leads to the page of what is chosen in it, without a script. `site`: the address of the site. */
export function choosing(fields: string, site: string): string {
  return `<form action="${escapeAddress(`${site}/`)}" method="get">${fields}<button type="submit">Go</button></form>`;
}

export function targetOf(attributes: JsonMap): string {
  return escapeAttribute(textAt(attributes, 'linkTarget') ?? '_self');
}

/** The element for a level of headings; level 0 is a paragraph. */
export function headingOf(level: number): string {
  return level === 0 ? 'p' : `h${level}`;
}

export function linkTo(address: string, inside: string, more = ''): string {
  return `<a href="${escapeAddress(address)}"${more}>${inside}</a>`;
}
