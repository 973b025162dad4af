import { normaliseBlocks } from '#blocks/blocks.ts';
import { DYNAMIC, isDynamic } from '#blocks/dynamic.ts';
import { filterFootnotes, filterMarkup, filterTitle } from '#blocks/filter.ts';
import { namesImages } from '#blocks/images.ts';
import { isGiven, renderContent, renderExcerpt, renderTitle } from '#blocks/render.ts';
import { alone } from '#blocks/surroundings.ts';
import { asciiJson } from './json.ts';
import { secretDigest } from './secret.ts';

/**
 * Text processing of writes that is slow for long texts. Pure: the result depends only on the texts, in any thread. Texts that must be
 * rendered for each response result in `DYNAMIC` instead of JSON.
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
    isDynamic(raw) || namesImages(raw) ? DYNAMIC : asciiJson(renderContent(raw, alone(footnotes))),
  excerpt: (raw: string, content: string) =>
    !isGiven(raw) && isDynamic(content) ? DYNAMIC : asciiJson(renderExcerpt(raw, content)),
  secretDigest,
} as const satisfies Readonly<Record<string, (...texts: string[]) => string>>;

export type TextJob = keyof typeof textJobs;
