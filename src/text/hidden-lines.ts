import { ascending } from './ascending.ts';
import { Edits } from './edits.ts';

const EXCLAMATION = 33;

/** Replaces a line end that is not a line break of the text. */
export const KEPT_LINE = '<\u0002>';

// Shaped like a comment between blanks, because rules that search for `>` must find one here.
const HIDDEN = ' <!-- \u0001 --> ';

/** Hides line ends inside tags and comments; `restore` of `hidePreformatted` restores them. */
export function hideLines(html: string): string {
  const edits = new Edits(html);
  const lines = ascending(html, '\n');
  for (let start = html.indexOf('<'), end = 0; start >= 0; start = html.indexOf('<', end)) {
    end = tagEnd(html, start);
    const line = lines(start);
    if (line < 0) break;
    if (line < end) edits.replace(start, end, html.slice(start, end).replaceAll('\n', HIDDEN));
  }
  return edits.finish();
}

/** Removes the content of `<pre>` elements from a text, to be restored after all other steps. */
export function hidePreformatted(html: string): { text: string; restore: (text: string) => string } {
  const hidden: string[] = [];
  let text = html;
  if (html.includes('<pre')) {
    const parts = html.split('</pre>');
    const last = parts.pop() ?? '';
    text = parts.map((part) => hidePart(part, hidden)).join('') + last;
  }
  return { text, restore: (rendered) => showLines(showPreformatted(rendered, hidden)) };
}

export function protectLines(html: string): string {
  const opener = /<(script|style|svg)/g;
  const unclosed = new Set<string>();
  const edits = new Edits(html);
  for (let found = opener.exec(html); found !== null; found = opener.exec(html)) {
    const closer = `</${found[1]}>`;
    if (unclosed.has(closer)) continue;
    const end = html.indexOf(closer, opener.lastIndex);
    if (end < 0) {
      unclosed.add(closer);
      continue;
    }
    const stop = end + closer.length;
    edits.replace(found.index, stop, html.slice(found.index, stop).replaceAll('\n', KEPT_LINE));
    opener.lastIndex = stop;
  }
  return edits.finish();
}

function hidePart(part: string, hidden: string[]): string {
  const start = part.indexOf('<pre');
  if (start < 0) return part;
  hidden.push(`${part.slice(start)}</pre>`);
  return `${part.slice(0, start)}<pre \u0001${hidden.length - 1}></pre>`;
}

function showPreformatted(text: string, hidden: readonly string[]): string {
  if (hidden.length === 0) return text;
  return text.replace(/<pre \u0001(\d+)><\/pre>/g, (whole, i: string) => hidden[Number(i)] ?? whole);
}

function showLines(text: string): string {
  if (!text.includes('<!-- \u0001 -->')) return text;
  return text.replaceAll(HIDDEN, '\n').replaceAll('<!-- \u0001 -->', '\n');
}

/** End of a tag, comment or CDATA section; an unclosed one extends to the end. */
function tagEnd(html: string, start: number): number {
  if (html.charCodeAt(start + 1) === EXCLAMATION) {
    if (html.startsWith('<!--', start)) return endBehind(html, '-->', start + 2);
    if (html.startsWith('<![CDATA[', start)) return endBehind(html, ']]>', start + 9);
  }
  const end = html.indexOf('>', start);
  return end < 0 ? html.length : end + 1;
}

function endBehind(html: string, closer: string, from: number): number {
  const end = html.indexOf(closer, from);
  return end < 0 ? html.length : end + closer.length;
}
