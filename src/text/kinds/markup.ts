import { startTags } from '../block-tags.ts';
import { addClasses, type Tag } from '../tags.ts';
import type { KindParts } from './kind.ts';

/** Changes the first tag with one of the names in a block's own markup; null if there is none. */
export function changeTag(
  parts: KindParts,
  names: readonly string[],
  change: (html: string, tag: Tag) => string,
): KindParts | null {
  for (const [i, part] of parts.entries()) {
    if (typeof part !== 'string') continue;
    for (const tag of startTags(part)) if (names.includes(tag.name)) return parts.with(i, change(part, tag));
  }
  return null;
}

export function addClassTo(parts: KindParts, names: readonly string[], className: string): KindParts {
  return changeTag(parts, names, (html, tag) => addClasses(html, tag, [className])) ?? parts;
}

export function ownMarkup(parts: KindParts): string {
  return parts.filter((part) => typeof part === 'string').join('');
}

export function isOnlyComments(html: string): boolean {
  let at = 0;
  while (html.startsWith('<!--', at)) {
    const end = html.indexOf('-->', at + 4);
    if (end < 0) return false;
    at = end + 3;
  }
  return at === html.length;
}
