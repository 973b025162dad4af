import { stripMarkup } from '#text/strip.ts';

export function plainSearch(text: string): string {
  const plain = text.includes('<') ? stripMarkup(text) : text;
  return plain.replace(/\s+/g, ' ').trim();
}

/** How many words and phrases a search has, with those that are not looked for because they are too common. */
export function countWords(plain: string): number {
  return plain.match(/"[^"]*"?|[^ ",+]+/g)?.length ?? 0;
}

/** The whole search as one phrase; null when it excludes words, and so is none. */
export function sentenceOf(plain: string): string | null {
  return /(^| )-/.test(plain) ? null : plain;
}
