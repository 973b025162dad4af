import { isBlank, trimText } from './blank.ts';

type Mode = 'text' | 'tag' | 'script' | 'declaration' | 'comment';

interface Cursor {
  readonly html: string;
  at: number;
  mode: Mode;
  quote: string;
  /** Number of further open `<` inside a tag. */
  depth: number;
}

const OPENER = /<(script|style)/i;

const steps: Record<Exclude<Mode, 'text'>, (cursor: Cursor, char: string) => void> = {
  tag: stepTag,
  script: stepScript,
  declaration: stepDeclaration,
  comment: stepComment,
};

/** Converts markup to plain text: removes tags and comments, and scripts and style sheets with their content, and trims both ends. */
export function stripMarkup(html: string): string {
  return trimText(stripTags(dropCode(html)));
}

/** Removes `<script>` and `<style>` elements; leaves one without an end tag to `stripTags`. */
function dropCode(html: string): string {
  if (!OPENER.test(html)) return html;
  const openers = new RegExp(OPENER.source, 'gi');
  const closers = { script: /<\/script>/gi, style: /<\/style>/gi };
  const unclosed = new Set<string>();
  let kept = '';
  let from = 0;
  for (let found = openers.exec(html); found !== null; found = openers.exec(html)) {
    const name = found[1]?.toLowerCase() === 'style' ? 'style' : 'script';
    if (unclosed.has(name)) continue;
    const bodyStart = html.indexOf('>', openers.lastIndex);
    if (bodyStart < 0) break;
    const closer = closers[name];
    closer.lastIndex = bodyStart;
    if (closer.exec(html) === null) {
      unclosed.add(name);
      continue;
    }
    kept += html.slice(from, found.index);
    from = closer.lastIndex;
    openers.lastIndex = from;
  }
  return kept + html.slice(from);
}

/**
 * Removes tags, comments and declarations and keeps the text between them. A `<` before white space is text; quotation marks inside a tag
 * protect `>`; an unclosed tag extends to the end.
 */
export function stripTags(html: string): string {
  if (!html.includes('<')) return html.replaceAll('\0', '');
  const cursor: Cursor = { html, at: 0, mode: 'text', quote: '', depth: 0 };
  let kept = '';
  while (cursor.at < html.length) {
    if (cursor.mode === 'text') kept += readText(cursor);
    else steps[cursor.mode](cursor, html.charAt(cursor.at));
  }
  return kept.replaceAll('\0', '');
}

function readText(cursor: Cursor): string {
  const { html } = cursor;
  const from = cursor.at;
  let open = html.indexOf('<', from);
  while (open >= 0 && isBlank(html.charCodeAt(open + 1))) open = html.indexOf('<', open + 1);
  cursor.at = open < 0 ? html.length : open + 1;
  cursor.mode = 'tag';
  cursor.depth = 0;
  return html.slice(from, open < 0 ? html.length : open);
}

function stepTag(cursor: Cursor, char: string): void {
  const { html, at } = cursor;
  cursor.at++;
  if (char === '"' || char === "'") toggleQuote(cursor, char);
  else if (char === '>') closeTag(cursor);
  else if (char === '<' && cursor.quote === '' && !isBlank(html.charCodeAt(at + 1))) cursor.depth++;
  else if (char === '!' && html[at - 1] === '<') cursor.mode = 'declaration';
  else if (char === '?' && html[at - 1] === '<') cursor.mode = 'script';
}

function stepScript(cursor: Cursor, char: string): void {
  const { html, at } = cursor;
  cursor.at++;
  if ((char === '"' || char === "'") && html[at - 1] !== '\\') toggleQuote(cursor, char);
  else if (char === '>' && cursor.quote === '' && html[at - 1] === '?') cursor.mode = 'text';
  else if ((char === 'l' || char === 'L') && html.slice(at - 4, at).toLowerCase() === '<?xm') cursor.mode = 'tag';
}

function stepDeclaration(cursor: Cursor, char: string): void {
  const { html, at } = cursor;
  cursor.at++;
  if ((char === '"' || char === "'") && html[at - 1] !== '\\') toggleQuote(cursor, char);
  else if (char === '>') closeTag(cursor);
  else if (char === '-' && html.slice(at - 2, at) === '!-') cursor.mode = 'comment';
  else if ((char === 'e' || char === 'E') && html.slice(at - 8, at).toLowerCase() === '<!doctyp') cursor.mode = 'tag';
}

function stepComment(cursor: Cursor): void {
  const end = cursor.html.indexOf('-->', cursor.at - 2);
  cursor.at = end < 0 ? cursor.html.length : end + 3;
  cursor.quote = '';
  cursor.mode = 'text';
}

function toggleQuote(cursor: Cursor, char: string): void {
  if (cursor.quote === '') cursor.quote = char;
  else if (cursor.quote === char) cursor.quote = '';
}

function closeTag(cursor: Cursor): void {
  if (cursor.quote !== '') return;
  if (cursor.depth > 0) cursor.depth--;
  else cursor.mode = 'text';
}
