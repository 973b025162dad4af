import { decodeReferences } from './references.ts';
import { stripMarkup } from './strip.ts';
import { upToLast } from './up-to-last.ts';

const COMMENT = /^[ \t]*<!-- \/?wp:.*?-->[ \t]*\n?|<!-- \/?wp:.*?-->/gms;

/** Elements that end a line when they are shown. */
const ENDS = /<\/(?:p|h[1-6]|li|tr|pre|blockquote|figcaption|figure|div|dt|dd|cite)>|<br\s*\/?>/gi;

const plainly = (line: string) => decodeReferences(stripMarkup(line)).replace(/\s+/g, ' ').trim();

/** A source as people read it: its words, a line for each paragraph. `plain`: makes the words of a line. */
export function asRead(text: string, plain: (line: string) => string = plainly): string {
  const lines = withoutBlockComments(text).replace(ENDS, '$&\n').split(/\n+/);
  return lines
    .map(plain)
    .filter((line) => line !== '')
    .join('\n');
}

export function hasBlockComments(text: string): boolean {
  return text.includes('<!-- wp:') || text.includes('<!-- /wp:');
}

/** A source without the comments that delimit its blocks. */
export function withoutBlockComments(text: string): string {
  const [within, rest] = upToLast(text, '-->');
  return hasBlockComments(text) ? `${within.replace(COMMENT, '')}${rest}`.replace(/\n{3,}/g, '\n\n').trim() : text;
}
