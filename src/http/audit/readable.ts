import { resultOf } from '#text/suspended.ts';

const COMMENT = /^[ \t]*<!-- \/?wp:.*?-->[ \t]*\n?|<!-- \/?wp:.*?-->/gms;
/** Elements that end a line when they are shown. */
const ENDS = /<\/(?:p|h[1-6]|li|tr|pre|blockquote|figcaption|figure|div|dt|dd|cite)>|<br\s*\/?>/gi;

export function hasBlockComments(text: string): boolean {
  return text.includes('<!-- wp:') || text.includes('<!-- /wp:');
}

/** A source without the comments that delimit its blocks. */
export function withoutBlockComments(text: string): string {
  return hasBlockComments(text)
    ? text
        .replace(COMMENT, '')
        .replace(/\n{3,}/g, '\n\n')
        .trim()
    : text;
}

/** A source as people read it: its words, a line for each paragraph. */
export function asRead(text: string): string {
  const lines = withoutBlockComments(text).replace(ENDS, '$&\n').split(/\n+/);
  return lines
    .map((line) => resultOf('plain', line))
    .filter((line) => line !== '')
    .join('\n');
}
