import { nextTag, nextToken } from '../tags.ts';
import type { Kind, KindParts } from './kind.ts';
import { isOnlyComments, ownMarkup } from './markup.ts';

export const button: Kind = { open: ({ parts }) => (isEmpty(parts) ? null : parts) };

function isEmpty(parts: KindParts): boolean {
  const html = ownMarkup(parts);
  if (nextTag(html, 0) === null) return false;
  for (let tag = nextTag(html, 0); tag !== null; tag = nextTag(html, tag.end)) {
    if (tag.name !== 'a' && tag.name !== 'button') continue;
    const end = nextToken(html, tag.end);
    return end !== null && end.name === tag.name && isOnlyComments(html.slice(tag.end, end.start));
  }
  return true;
}
