import { ascending } from './ascending.ts';
import { backOverBlanks, skipBlanks } from './blank.ts';
import { Edits } from './edits.ts';

interface Rule {
  /** Start of a tag, which the next character of `ends` closes. */
  readonly opener: RegExp;
  readonly ends: string;
  readonly before: boolean;
  readonly after: boolean;
}

const EXCLAMATION = 33;

/** Replaces a line end that is not a line break of the text. */
export const KEPT_LINE = '<\u0002>';

// Shaped like a comment between blanks, because rules that search for `>` must find one here.
const HIDDEN = ' <!-- \u0001 --> ';

const OPTIONS: readonly Rule[] = [
  { opener: /<option/g, ends: '', before: true, after: false },
  { opener: /<\/option>/g, ends: '', before: false, after: true },
];

const OBJECTS: readonly Rule[] = [
  { opener: /<object/g, ends: '>', before: false, after: true },
  { opener: /<\/object>/g, ends: '', before: true, after: false },
  { opener: /<\/?(?:param|embed)/g, ends: '>', before: true, after: true },
];

const MEDIA: readonly Rule[] = [
  { opener: /[<[](?:audio|video)/g, ends: '>]', before: false, after: true },
  { opener: /[<[]\/(?:audio|video)[>\]]/g, ends: '', before: true, after: false },
  { opener: /<(?:source|track)/g, ends: '>', before: true, after: true },
];

const CAPTIONS: readonly Rule[] = [
  { opener: /<figcaption/g, ends: '>', before: true, after: false },
  { opener: /<\/figcaption>/g, ends: '', before: false, after: true },
];

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

/** Removes white space around elements in selections, objects, media and figures, so that no paragraphs are made of it. */
export function collapseEmbedded(html: string): string {
  let text = html;
  if (text.includes('<option')) text = collapse(text, OPTIONS);
  if (text.includes('</object>')) text = collapse(text, OBJECTS);
  if (text.includes('<source') || text.includes('<track')) text = collapse(text, MEDIA);
  return text.includes('<figcaption') ? collapse(text, CAPTIONS) : text;
}

function collapse(html: string, rules: readonly Rule[]): string {
  return rules.reduce(collapseRule, html);
}

function collapseRule(html: string, { opener, ends, before, after }: Rule): string {
  let out = '';
  let done = 0;
  opener.lastIndex = 0;
  for (let found = opener.exec(html); found !== null; found = opener.exec(html)) {
    const stop = ends === '' ? opener.lastIndex : closeOf(html, opener.lastIndex, ends);
    if (stop < 0) break;
    out +=
      html.slice(done, before ? backOverBlanks(html, found.index, done) : found.index) + html.slice(found.index, stop);
    done = after ? skipBlanks(html, stop) : stop;
    opener.lastIndex = done;
  }
  return out + html.slice(done);
}

function closeOf(html: string, from: number, ends: string): number {
  for (let at = from; at < html.length; at++) if (ends.includes(html.charAt(at))) return at + 1;
  return -1;
}
