import { balanceTags } from './balance.ts';
import { spellBrandInText } from './brand.ts';
import { clickable } from './clickable.ts';
import { paragraphs } from './paragraphs.ts';
import { escapeShortReferences } from './references.ts';
import { smileys, typography } from './typography.ts';

/** Renders the text of a comment. `host`: of the site; links to it are not marked `nofollow`. */
export function renderComment(raw: string, host: string): string {
  if (raw === '') return '';
  const text = escapeShortReferences(typography(clickable(raw, host)));
  return spellBrandInText(paragraphs(balanceTags(smileys(text))));
}

export function countLinks(html: string): number {
  let links = 0;
  for (const [tag] of html.matchAll(/<a [^<>]*/gi)) if (/href/i.test(tag)) links += 1;
  return links;
}
