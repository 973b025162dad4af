export type PatternSegment = { readonly literal: string } | { readonly digits: string };

export interface RoutePattern {
  readonly prefix: readonly string[];
  /** All segments, if each is a plain word or a number; null if only the expression can match them. */
  readonly segments: readonly PatternSegment[] | null;
  /** The whole pattern, case-insensitive. A path with white space never matches. */
  readonly expression: RegExp;
}

const WORD = /^[\w.~-]*[a-z_.~-][\w.~-]*$/i;
const NUMBER = /^\(\?P<(\w+)>(?:\[\\d\]|\\d)\+\)$/;

/** Parses a route pattern, so that most routes are found without running an expression. */
export function parsePattern(pattern: string): RoutePattern {
  const parts = pattern === '/' ? [] : splitOutsideGroups(pattern.slice(1));
  const segments = parts.map(segmentOf);
  const prefix: string[] = [];
  for (const segment of segments) {
    if (segment === null || 'digits' in segment) break;
    prefix.push(segment.literal);
  }
  return {
    prefix,
    segments: segments.every((segment) => segment !== null) ? segments : null,
    // The lookahead rejects white space at once; without it, backtracking over a long path would take long.
    expression: new RegExp(`^(?=\\S*$)${pattern.replaceAll('(?P<', '(?<')}$`, 'i'),
  };
}

function segmentOf(part: string): PatternSegment | null {
  if (WORD.test(part)) return { literal: part.toLowerCase() };
  const name = NUMBER.exec(part)?.[1];
  return name === undefined ? null : { digits: name };
}

function splitOutsideGroups(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const mark of text) {
    if (mark === '(' || mark === '[') depth += 1;
    if (mark === ')' || mark === ']') depth -= 1;
    if (mark === '/' && depth === 0) parts.push('');
    else parts.push(`${parts.pop()}${mark}`);
  }
  return parts;
}
