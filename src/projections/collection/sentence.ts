/** What a client sent to search for, as one line of plain text. */
export function cleanSearch(text: string): string {
  return text
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** How many words and phrases a clean search has, those included that are not looked for because they are too common. */
export function countWords(text: string): number {
  return text.match(/"[^"]*"?|[^\t ",+]+/g)?.length ?? 0;
}

/** The whole of a clean search as one phrase; null when it excludes words, and so is none. */
export function sentenceOf(text: string): string | null {
  return /(^|\s)-/.test(text) ? null : text;
}
