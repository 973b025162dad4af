import { normaliseBlocks } from '#blocks/blocks.ts';
import { DYNAMIC, isDynamic } from '#blocks/dynamic.ts';
import { filterFootnotes, filterMarkup, filterTitle } from '#blocks/filter.ts';
import { decodeReferences } from '#blocks/references.ts';
import { isGiven, renderContent, renderExcerpt, renderRevisionExcerpt, renderTitle } from '#blocks/render.ts';
import { renderComment } from '#blocks/render-comment.ts';
import { stripMarkup } from '#blocks/strip.ts';
import { alone } from '#blocks/surroundings.ts';
import { differenceRows, differences } from './differences.ts';
import { escapeHtml } from './escape-html.ts';
import { feedItems } from './feed-items.ts';
import { textDigest } from './field-seals.ts';
import { asciiJson } from './json.ts';
import { secretDigest } from './secret.ts';

/**
 * Text processing that is slow for long texts. Pure: the result depends only on the texts, in any thread. Texts that must be rendered for
 * each response result in `DYNAMIC` instead of JSON.
 */
export const textJobs = {
  filterMarkup,
  filterTitle,
  filterFootnotes,
  normaliseBlocks,
  filterAndNormalise: (text: string) => normaliseBlocks(filterMarkup(text)),
  /** Normalises first, so that the filter does not take a `<` in attributes of blocks for markup. */
  filterNormalised: (text: string) => normaliseBlocks(filterMarkup(normaliseBlocks(text))),
  title: (raw: string) => asciiJson(renderTitle(raw)),
  content: (raw: string, footnotes: string) =>
    isDynamic(raw) ? DYNAMIC : asciiJson(renderContent(raw, alone(footnotes))),
  excerpt: (raw: string, content: string) =>
    !isGiven(raw) && isDynamic(content) ? DYNAMIC : asciiJson(renderExcerpt(raw, content)),
  excerptOfLength: (content: string, length: string) =>
    isDynamic(content) ? DYNAMIC : asciiJson(renderExcerpt('', content, { length: Number(length) })),
  feedItems,
  differences: (before: string, after: string) => asciiJson(differences(before, after)),
  differenceRows,
  secretDigest,
  comment: (raw: string, host: string) => asciiJson(renderComment(raw, host)),
  escapeHtml,
  plain: (rendered: string) => decodeReferences(stripMarkup(rendered)).replace(/\s+/g, ' ').trim(),
  fromJson: (json: string) => String(JSON.parse(json)),
  json: (text: string) => JSON.stringify(text),
  jsonDigest: (text: string) => textDigest(JSON.stringify(text)),
  asciiJson: (text: string) => asciiJson(text),
  revisionExcerpt: (raw: string) => asciiJson(renderRevisionExcerpt(raw)),
} as const satisfies Readonly<Record<string, (...texts: string[]) => string>>;

export type TextJob = keyof typeof textJobs;
