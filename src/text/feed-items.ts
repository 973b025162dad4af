import { type ChildNode, type Element, isTag } from 'domhandler';
import { DomUtils } from 'htmlparser2';
import { xmlDocument } from './bounded-document.ts';

/** An item of a feed of another site; all members are untrusted. */
export interface FeedItem {
  readonly title: string;
  readonly link: string;
  readonly date: string;
  readonly author: string;
  readonly description: string;
}

/** Maximum number of items read. */
const max = 100;
/** Maximum number of characters read per text. */
const longest = 20_000;

/** Parses the items of an RSS or Atom feed to JSON; `[]` for other input. */
export function feedItems(xml: string): string {
  const children = xmlDocument(xml)?.children ?? [];
  const items = DomUtils.find(isItem, children, true, max) as Element[];
  return JSON.stringify(items.map(itemOf));
}

function isItem(node: ChildNode): boolean {
  return isTag(node) && (node.name === 'item' || node.name === 'entry');
}

function itemOf(item: Element): FeedItem {
  return {
    title: textOf(item, ['title']),
    link: linkOf(item),
    date: textOf(item, ['pubDate', 'dc:date', 'published', 'updated']),
    author: authorOf(item),
    description: textOf(item, ['description', 'summary', 'content:encoded', 'content']),
  };
}

function textOf(item: Element, names: readonly string[]): string {
  for (const name of names) {
    const text = DomUtils.textContent(item.children.filter((child) => isTag(child) && child.name === name)).trim();
    if (text !== '') return text.slice(0, longest);
  }
  return '';
}

function linkOf(item: Element): string {
  const links = item.children.filter(isTag).filter(({ name }) => name === 'link');
  const toPage = links.find(
    ({ attribs }) => attribs['href'] !== undefined && (attribs['rel'] ?? 'alternate') === 'alternate',
  );
  return (toPage?.attribs['href'] ?? textOf(item, ['link'])).trim();
}

function authorOf(item: Element): string {
  const author = item.children.filter(isTag).find(({ name }) => name === 'author');
  const name = author === undefined ? '' : textOf(author, ['name']);
  return name || textOf(item, ['dc:creator', 'author']);
}
