import { decodeReferences } from '#text/references.ts';
import { stripMarkup } from '#text/strip.ts';
import { attributeOf, endOfElement, nextTag, type Tag } from '#text/tags.ts';

/** How a page describes itself; '' for what it does not say. */
export interface UrlDetails {
  readonly title: string;
  readonly icon: string;
  readonly description: string;
  readonly image: string;
}

/** Reads the head of a page, or all of a page without one. `page`: its address. */
export function readDetails(markup: string, page: URL): UrlDetails {
  const head = headOf(markup);
  const tags = tagsIn(head);
  const named = (attribute: string, values: readonly string[]) => contentOf(tags, attribute, values);
  return {
    title: shown(/<title[^>]*>(.*?)<\s*\/\s*title>/is.exec(head)?.[1] ?? ''),
    icon: absolute(iconIn(tags), page),
    description: shown(named('name', ['description', 'og:description'])),
    image: absolute(named('property', ['og:image', 'og:image:url']), page),
  };
}

function headOf(markup: string): string {
  const [start, end] = [markup.indexOf('<head'), markup.indexOf('</head>')];
  return start < 0 || end < start ? markup : markup.slice(start, end);
}

function tagsIn(markup: string): readonly Tag[] {
  const tags: Tag[] = [];
  for (let tag = nextTag(markup, 0); tag !== null; tag = nextTag(markup, endOfElement(markup, tag))) {
    if (tag.name === 'meta' || tag.name === 'link') tags.push(tag);
  }
  return tags;
}

function contentOf(tags: readonly Tag[], attribute: string, values: readonly string[]): string {
  const found = tags.find(
    (tag) =>
      tag.name === 'meta' &&
      attributeOf(tag, 'content') !== null &&
      values.includes(textAt(tag, attribute).toLowerCase()),
  );
  return found === undefined ? '' : textAt(found, 'content');
}

const ICONS = ['icon', 'shortcut icon', 'icon shortcut'];

function iconIn(tags: readonly Tag[]): string {
  const found = tags.find((tag) => tag.name === 'link' && ICONS.includes(textAt(tag, 'rel').toLowerCase()));
  return found === undefined ? '' : textAt(found, 'href');
}

function textAt(tag: Tag, name: string): string {
  const value = attributeOf(tag, name);
  return typeof value === 'string' ? value.trim() : '';
}

function shown(text: string): string {
  return stripMarkup(decodeReferences(text.trim()));
}

function absolute(address: string, page: URL): string {
  if (address === '' || address.startsWith('data:')) return address;
  return URL.parse(address, `${page.origin}/`)?.href ?? '';
}
