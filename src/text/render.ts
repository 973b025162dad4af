import { trimText } from './blank.ts';
import { hasBlocks } from './blocks.ts';
import { spellBrand, spellBrandInText } from './brand.ts';
import { Counters } from './counters.ts';
import { makeExcerpt, showExcerpt } from './excerpt.ts';
import { easeLoading } from './images.ts';
import { paragraphs } from './paragraphs.ts';
import { escapeShortReferences } from './references.ts';
import { renderBlocks } from './render-blocks.ts';
import { smileys, typography } from './typography.ts';

export { stripMarkup } from './strip.ts';

/** The words in an excerpt that is made from the content. */
const DEFAULT_LENGTH = 55;

/** A title as it is shown: typography, markup kept (interface behaviour, section 25). */
export function renderTitle(raw: string): string {
  if (raw === '') return '';
  return spellBrand(trimText(escapeShortReferences(typography(raw))));
}

/** A content as it is shown; `footnotes` is the meta field for the footnotes block. */
export function renderContent(raw: string, footnotes: string, counters = new Counters()): string {
  if (raw === '') return '';
  const text = hasBlocks(raw) ? typography(renderBlocks(raw, { footnotes, counters })) : paragraphs(typography(raw));
  return smileys(easeLoading(spellBrandInText(text)));
}

/** The given excerpt as it is shown or, without one, the beginning of the content. */
export function renderExcerpt(
  rawExcerpt: string,
  rawContent: string,
  length = DEFAULT_LENGTH,
  counters = new Counters(),
): string {
  return trimText(rawExcerpt) === '' ? makeExcerpt(rawContent, length, counters) : showExcerpt(rawExcerpt);
}

/** The excerpt of a revision: never made from the content. */
export function renderRevisionExcerpt(rawExcerpt: string): string {
  return rawExcerpt === '' ? '' : showExcerpt(rawExcerpt);
}

/** 1 for a text with block markup, else 0. */
export function blockVersion(raw: string): 0 | 1 {
  return hasBlocks(raw) ? 1 : 0;
}
