import { trimText } from './blank.ts';
import { hasBlocks, hasDelimiters } from './blocks.ts';
import { spellBrand, spellBrandInText } from './brand.ts';
import { embedAddresses } from './embed-lines.ts';
import { makeExcerpt, showExcerpt } from './excerpt.ts';
import { easeLoading, sizeImages } from './images.ts';
import { setParagraphs } from './paragraphs.ts';
import { escapeShortReferences } from './references.ts';
import { renderBlocks } from './render-blocks.ts';
import { renderShortcodes, unwrapShortcodes } from './shortcodes/render.ts';
import { smileys } from './smileys.ts';
import { alone, type Surroundings } from './surroundings.ts';
import { typography } from './typography.ts';

export { stripMarkup } from './strip.ts';

export interface ExcerptOptions {
  readonly length?: number;
  readonly within?: Surroundings;
}

/** Number of words in a generated excerpt. */
const DEFAULT_LENGTH = 55;

/** Renders a title: applies typography and keeps markup. */
export function renderTitle(raw: string): string {
  if (raw === '') return '';
  return spellBrand(trimText(escapeShortReferences(typography(raw))));
}

export function renderContent(raw: string, within: Surroundings = alone()): string {
  if (raw === '') return '';
  const { server } = within;
  const embedded = server === undefined ? raw : embedAddresses(raw, server.embed);
  const blocks = hasDelimiters(raw) ? renderBlocks(embedded, within) : embedded;
  const text = hasBlocks(raw) ? typography(blocks) : setParagraphs(blocks);
  const shown = renderShortcodes(spellBrandInText(unwrapShortcodes(text)), within);
  return smileys(easeLoading(server?.image === undefined ? shown : sizeImages(shown, server.image)));
}

/** Renders the given excerpt or, if empty, one generated from the content. */
export function renderExcerpt(
  rawExcerpt: string,
  rawContent: string,
  { length = DEFAULT_LENGTH, within = alone() }: ExcerptOptions = {},
): string {
  return isGiven(rawExcerpt) ? showExcerpt(rawExcerpt) : makeExcerpt(rawContent, length, within);
}

/** Whether an excerpt is given, so that none is generated. */
export function isGiven(rawExcerpt: string): boolean {
  return trimText(rawExcerpt) !== '';
}

/** Renders the excerpt of a revision, which is never generated. */
export function renderRevisionExcerpt(rawExcerpt: string): string {
  return rawExcerpt === '' ? '' : showExcerpt(rawExcerpt);
}

/** 1 for a text with block markup, otherwise 0. */
export function blockVersion(raw: string): 0 | 1 {
  return hasBlocks(raw) ? 1 : 0;
}
