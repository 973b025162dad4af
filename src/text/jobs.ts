import { normaliseBlocks } from './blocks.ts';
import { differences } from './differences.ts';
import { filterFootnotes, filterMarkup, filterTitle } from './filter.ts';
import { asciiJson } from './json.ts';
import { renderContent, renderExcerpt, renderRevisionExcerpt, renderTitle } from './render.ts';

/** Work on texts that takes long where they are long. Pure: the same texts give the same text, in any thread. */
export const textJobs = {
  filterMarkup,
  filterTitle,
  filterFootnotes,
  normaliseBlocks,
  filterAndNormalise: (text: string) => normaliseBlocks(filterMarkup(text)),
  title: (raw: string) => asciiJson(renderTitle(raw)),
  content: (raw: string, footnotes: string) => asciiJson(renderContent(raw, footnotes)),
  excerpt: (raw: string, content: string) => asciiJson(renderExcerpt(raw, content)),
  excerptOfLength: (content: string, length: string) => asciiJson(renderExcerpt('', content, Number(length))),
  differences: (before: string, after: string) => asciiJson(differences(before, after)),
  revisionExcerpt: (raw: string) => asciiJson(renderRevisionExcerpt(raw)),
} as const satisfies Readonly<Record<string, (...texts: string[]) => string>>;

export type TextJob = keyof typeof textJobs;
