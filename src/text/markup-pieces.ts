export interface Piece {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the pieces of a text that a browser may take for markup: comments, declarations, tags however malformed,
 * and lone `>`. The answer is asked for places in ascending order.
 */
export function nextMarkup(html: string): (from: number) => Piece | null {
  const arrows = ascending(html, '-->');
  const lines = ascending(html, '\n');
  const closers = ascending(html, '>');
  const special = /[<>]/g;
  const endOf = (at: number): number => {
    if (html.startsWith('<!--', at)) {
      const end = commentEnd(html, arrows(at + 4), lines(at + 4));
      if (end >= 0) return end;
    }
    // An end tag with no letter after its slash takes the next character along, whatever it is.
    const isOdd = html[at + 1] === '/' && at + 2 < html.length && !/[a-zA-Z]/.test(html.charAt(at + 2));
    const odd = isOdd ? closers(at + 3) : -1;
    const end = odd >= 0 ? odd : html.indexOf('>', at + 1);
    return end < 0 ? html.length : end + 1;
  };
  return (from) => {
    special.lastIndex = from;
    const start = special.exec(html)?.index;
    if (start === undefined) return null;
    return { start, end: html[start] === '>' ? start + 1 : endOf(start) };
  };
}

/** A comment ends on its line or, where no further line begins, with the text; else it is one only up to `>`. */
function commentEnd(html: string, arrow: number, line: number): number {
  if (arrow >= 0 && (line < 0 || arrow < line)) return arrow + 3;
  if (line < 0) return html.length;
  return line === html.length - 1 ? line : -1;
}

/** Searches for ascending places without looking at any part of the text twice. */
function ascending(html: string, text: string): (from: number) => number {
  let found = -2;
  return (from) => {
    if (found !== -1 && found < from) found = html.indexOf(text, from);
    return found;
  };
}
