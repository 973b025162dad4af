import { attributeOf, endOfElement, nextTag } from '#text/tags.ts';

const TYPES = ['application/json+oembed', 'text/xml+oembed', 'application/xml+oembed'];

/** The address of its description that a page names in its head, JSON before XML; null if there is none. */
export function descriptionLink(markup: string, page: URL): string | null {
  const links = new Map<string, string>();
  for (let tag = nextTag(markup, 0); tag !== null; tag = nextTag(markup, endOfElement(markup, tag))) {
    if (tag.name !== 'link') continue;
    const [type, href] = [attributeOf(tag, 'type'), attributeOf(tag, 'href')];
    if (typeof type !== 'string' || typeof href !== 'string') continue;
    const name = type.trim().toLowerCase();
    if (!links.has(name)) links.set(name, href);
  }
  const found = TYPES.map((type) => links.get(type)).find((href) => href !== undefined);
  return found === undefined ? null : (URL.parse(found.trim(), page.href)?.href ?? null);
}
