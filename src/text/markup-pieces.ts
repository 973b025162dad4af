import { ascending } from './ascending.ts';

/**
 * Calls `visit` for each piece of a text that a browser may parse as markup, in order: comments, declarations, tags however malformed, and
 * lone `>`.
 */
export function eachMarkup(html: string, visit: (start: number, end: number) => void): void {
  const arrows = ascending(html, '-->');
  const lines = ascending(html, '\n');
  const closers = ascending(html, '>');
  const openers = ascending(html, '<');
  for (let at = 0; at < html.length; ) {
    const open = openers(at);
    const close = closers(at);
    if (close >= 0 && (open < 0 || close < open)) {
      visit(close, close + 1);
      at = close + 1;
      continue;
    }
    if (open < 0) return;
    const end = endOf(html, open, { arrows, lines, closers });
    visit(open, end);
    at = end;
  }
}

type Finder = (from: number) => number;

interface Finders {
  readonly arrows: Finder;
  readonly lines: Finder;
  readonly closers: Finder;
}

function endOf(html: string, at: number, { arrows, lines, closers }: Finders): number {
  if (html.startsWith('<!--', at)) {
    const end = commentEnd(html, arrows(at + 4), lines(at + 4));
    if (end >= 0) return end;
  }
  const end = closers(at + 1);
  // The nameless end tag `</>` extends to the next `>`, if there is one.
  const isOdd = end === at + 2 && html[at + 1] === '/';
  const odd = isOdd ? closers(end + 1) : end;
  return odd >= 0 ? odd + 1 : end >= 0 ? end + 1 : html.length;
}

/** End of a comment, which must end on its line or, if no further line follows, with the text; -1: it ends at the next `>`. */
function commentEnd(html: string, arrow: number, line: number): number {
  if (arrow >= 0 && (line < 0 || arrow < line)) return arrow + 3;
  if (line < 0) return html.length;
  return line === html.length - 1 ? line : -1;
}
