import { stripMarkup } from '#text/strip.ts';

export function plainSearch(text: string): string {
  const plain = text.includes('<') ? stripMarkup(text) : text;
  return plain.replace(/\s+/g, ' ').trim();
}

/** Counts the words and phrases of a search, including words too common to be searched for. */
export function countWords(plain: string): number {
  return plain.match(/"[^"]*"?|[^ ",+]+/g)?.length ?? 0;
}

/** The whole search as one phrase; null if it excludes words. */
export function sentenceOf(plain: string): string | null {
  return /(^| )-/.test(plain) ? null : plain;
}
