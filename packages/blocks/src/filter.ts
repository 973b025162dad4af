import { ascending } from './ascending.ts';
import { hasBlocks, mapBlocks } from './blocks.ts';
import { Edits } from './edits.ts';
import { dropControls } from './escape-address.ts';
import { DESCRIPTION_POLICY, filterTag, POST_POLICY, type Policy, TITLE_POLICY } from './filter-tag.ts';
import { readFootnotes } from './footnotes.ts';
import { encodeJson, mapMembers } from './ordered-json.ts';
import { normaliseReferences } from './references.ts';

const MAX_PASSES = 8;
const [EXCLAMATION, AMPERSAND, DASH, SLASH, LESS, GREATER, BACKSLASH] = [33, 38, 45, 47, 60, 62, 92];

// Comments and declarations, and a backslash that a pass removes before a quotation mark. Everything else is stable after one pass.
const ODD = /<!|<\/[^a-zA-Z]|\\"/;

/**
 * Filters a content or excerpt of a user who may not use all markup, to known elements with known attributes and harmless addresses. Keeps
 * the text inside removed elements, and comments and blocks with filtered contents.
 */
export function filterMarkup(html: string): string {
  return filterFully(html, POST_POLICY);
}

/** Filters a title to a few inline elements. */
export function filterTitle(html: string): string {
  return filterFully(html, TITLE_POLICY);
}

/** Filters the description of a term or user: as a title, with more attributes of links. */
export function filterDescription(html: string): string {
  return filterFully(html, DESCRIPTION_POLICY);
}

/** Filters the contents of footnotes and encodes them again; '' if the text is not a list. */
export function filterFootnotes(json: string): string {
  const notes = readFootnotes(json);
  if (notes === null) return '';
  const kept = notes.filter(({ id, content }) => id !== '' && id !== '0' && content !== '' && content !== '0');
  return encodeJson(
    kept.map(({ id, content }) => {
      const name = id.toLowerCase().replace(/[^a-z0-9_-]/g, '');
      return new Map([
        ['id', name],
        ['content', filterMarkup(content)],
      ]);
    }),
  );
}

/** Texts of blocks in attributes of blocks that are filtered as such; deeper ones are markup like any other. */
const deepest = 16;

function filterBy(html: string, policy: Policy, level = 0): string {
  if (!/[<>&\0-\x1f]/.test(html)) return html;
  const text = escapeLoneBrackets(normaliseReferences(dropControls(html)));
  return filterPieces(level < deepest ? filterBlocks(text, policy, level) : text, policy);
}

/** Escapes each `<` that no `>` closes before the next `<`. */
function escapeLoneBrackets(html: string): string {
  const edits = new Edits(html);
  let lone = -1;
  let close = html.indexOf('>');
  for (let at = html.indexOf('<'); at >= 0; ) {
    if (close >= 0 && close < at) close = html.indexOf('>', at);
    const next = html.indexOf('<', at + 1);
    const isLone = close < 0 || (next >= 0 && next < close);
    if (isLone && lone < 0) lone = at;
    if (!isLone && lone >= 0) {
      edits.replace(lone, at, escapeText(html.slice(lone, at)));
      lone = -1;
    }
    at = next;
  }
  if (lone >= 0) edits.replace(lone, html.length, escapeText(html.slice(lone)));
  return edits.finish();
}

function escapeText(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#039;');
}

function filterBlocks(html: string, policy: Policy, level: number): string {
  const text = html.includes('--->') ? closeComments(html) : html;
  if (!hasBlocks(text) && !/<!--[ \t\n\v\f\r]+wp:/.test(text)) return text;
  return mapBlocks(text, (attributes) => mapMembers(attributes, (value) => filterBy(value, policy, level + 1)));
}

function closeComments(html: string): string {
  const edits = new Edits(html);
  const closers = ascending(html, '--->');
  const lines = ascending(html, '\n');
  for (let start = html.indexOf('<!--'); start >= 0; start = html.indexOf('<!--', start)) {
    const end = closers(start + 4);
    if (end < 0) break;
    const line = lines(start);
    if (line >= 0 && line < end) {
      start = line;
      continue;
    }
    let inner = end;
    while (inner > start + 4 && html[inner - 1] === '-') inner--;
    edits.replace(inner, end + 4, '-->');
    start = end + 4;
  }
  return edits.finish();
}

function filterPieces(html: string, policy: Policy): string {
  const edits = new Edits(html);
  eachMarkup(html, (start, end) => {
    if (end - start === 1 && html.charCodeAt(start) === GREATER) return edits.replace(start, end, '&gt;');
    if (isPlainComment(html, start, end)) return;
    const piece = html.slice(start, end);
    const filtered = filterPiece(piece, policy);
    if (filtered !== piece) edits.replace(start, end, filtered);
  });
  return edits.finish();
}

function isPlainComment(html: string, start: number, end: number): boolean {
  if (end - start < 8 || !html.startsWith('<!--', start) || !html.startsWith('-->', end - 3)) return false;
  let before = 0;
  for (let at = start + 4; at < end - 3; at++) {
    const code = html.charCodeAt(at);
    // Of the characters searched for, only the backslash is above `>`.
    if (
      code === BACKSLASH ||
      (code <= GREATER && (code < 32 || code === LESS || code === GREATER || code === AMPERSAND))
    ) {
      return false;
    }
    if (code === DASH && before === DASH) return false;
    before = code;
  }
  return before !== DASH;
}

function filterPiece(text: string, policy: Policy): string {
  const piece = text.includes('\\"') ? text.replaceAll('\\"', '"') : text;
  if (piece === '>') return '&gt;';
  const second = piece.charCodeAt(1);
  if ((second === SLASH || second === EXCLAMATION) && /^(?:<\/[^a-zA-Z][^>]*>|<![a-z][^>]*>)$/.test(piece)) {
    return `<${piece[1]}${filterFully(piece.slice(2, -1), policy)}>`;
  }
  if (!piece.startsWith('<!--')) return filterTag(piece, policy);
  const inner = filterFully(piece.replace(/<!--|-->/g, ''), policy);
  return inner === '' ? '' : `<!--${inner.replace(/--+/g, '-').replace(/-$/, '')}-->`;
}

function filterFully(text: string, policy: Policy): string {
  let filtered = filterBy(text, policy);
  if (filtered === text) return filtered;
  for (let pass = 1; pass < MAX_PASSES && ODD.test(filtered); pass++) {
    const before = filtered;
    filtered = filterBy(before, policy);
    if (filtered === before) break;
  }
  return filtered;
}

/**
 * Calls `visit` for each piece of a text that a browser may parse as markup, in order: comments, declarations, tags however malformed, and
 * lone `>`.
 */
function eachMarkup(html: string, visit: (start: number, end: number) => void): void {
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
