/** Stands for a line end that is no line break of the text. */
export const KEPT_LINE = '<\u0002>';

// Shaped like a comment between blanks, because the rules that look for `>` have to see one here.
const HIDDEN = ' <!-- \u0001 --> ';

/** Hides the line ends inside tags and comments; `restore` of `hidePreformatted` shows them again. */
export function hideLines(html: string): string {
  let out = '';
  let done = 0;
  for (let start = html.indexOf('<'); start >= 0; start = html.indexOf('<', done)) {
    const end = tagEnd(html, start);
    const tag = html.slice(start, end);
    out += html.slice(done, start) + (tag.includes('\n') ? tag.replaceAll('\n', HIDDEN) : tag);
    done = end;
  }
  return out + html.slice(done);
}

/** Takes the content of `<pre>` elements out of a text, to be put back when everything else is done. */
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

/** Protects the line ends inside scripts, style sheets and drawings. */
export function protectLines(html: string): string {
  const opener = /<(script|style|svg)/g;
  const unclosed = new Set<string>();
  let out = '';
  let done = 0;
  for (let found = opener.exec(html); found !== null; found = opener.exec(html)) {
    const closer = `</${found[1]}>`;
    if (unclosed.has(closer)) continue;
    const end = html.indexOf(closer, opener.lastIndex);
    if (end < 0) {
      unclosed.add(closer);
      continue;
    }
    const stop = end + closer.length;
    out += html.slice(done, found.index) + html.slice(found.index, stop).replaceAll('\n', KEPT_LINE);
    done = stop;
    opener.lastIndex = stop;
  }
  return out + html.slice(done);
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

/** Where a tag, comment or CDATA section ends; what is never closed goes to the end. */
function tagEnd(html: string, start: number): number {
  let [closer, from] = ['>', start];
  if (html.startsWith('<!--', start)) [closer, from] = ['-->', start + 2];
  else if (html.startsWith('<![CDATA[', start)) [closer, from] = [']]>', start + 9];
  const end = html.indexOf(closer, from);
  return end < 0 ? html.length : end + closer.length;
}
