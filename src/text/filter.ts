import { hasBlocks, parseBlocks, serialize } from './blocks.ts';
import { dropControls } from './filter-address.ts';
import { POST_POLICY, type Policy, TITLE_POLICY } from './filter-policy.ts';
import { filterTag } from './filter-tag.ts';
import { readFootnotes } from './footnotes.ts';
import { nextMarkup } from './markup-pieces.ts';
import { encodeJson, mapMembers } from './ordered-json.ts';
import { normaliseReferences } from './references.ts';

const MAX_PASSES = 8;

// Comments and the like, and a backslash that a pass removes before a quotation mark; all else is stable after one pass.
const ODD = /<!|<\/[^a-zA-Z]|\\"/;

/**
 * What is stored of a content or excerpt by users who may not use all markup: known elements with known attributes
 * and harmless addresses. The text inside removed elements stays; comments and blocks stay, filtered
 * (interface behaviour, section 25).
 */
export function filterMarkup(html: string): string {
  return filterFully(html, POST_POLICY);
}

/** As `filterMarkup`, for titles: a few inline elements. */
export function filterTitle(html: string): string {
  return filterFully(html, TITLE_POLICY);
}

/** Footnotes with filtered contents, written anew; '' when the text is no list (interface behaviour, section 8). */
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

function filterBy(html: string, policy: Policy): string {
  if (!/[<>&\0-\x1f]/.test(html)) return html;
  const text = escapeLoneBrackets(normaliseReferences(dropControls(html)));
  return filterPieces(filterBlocks(text, policy), policy);
}

/** A `<` that is closed by no `>` before the next one is text, and so is what follows it. */
function escapeLoneBrackets(html: string): string {
  return html.replace(/<[^<>]*>?/g, (piece) => (piece.endsWith('>') ? piece : escapeText(piece)));
}

function escapeText(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#039;');
}

/** Filters the strings in the attributes of blocks, where no markup is to be seen by the rest of the filter. */
function filterBlocks(html: string, policy: Policy): string {
  const text = html.includes('--->') ? closeComments(html) : html;
  if (!hasBlocks(text) && !/<!--[ \t\n\v\f\r]+wp:/.test(text)) return text;
  return serialize(parseBlocks(text), (attributes) => mapMembers(attributes, (value) => filterBy(value, policy)));
}

/** Comments end with two dashes, not with more. */
function closeComments(html: string): string {
  let out = '';
  let done = 0;
  for (let start = html.indexOf('<!--'); start >= 0; start = html.indexOf('<!--', start)) {
    const end = html.indexOf('--->', start + 4);
    if (end < 0) break;
    const line = html.indexOf('\n', start);
    if (line >= 0 && line < end) {
      start = line;
      continue;
    }
    let inner = end;
    while (inner > start + 4 && html[inner - 1] === '-') inner--;
    out += `${html.slice(done, inner)}-->`;
    done = end + 4;
    start = done;
  }
  return out + html.slice(done);
}

function filterPieces(html: string, policy: Policy): string {
  let out = '';
  let at = 0;
  const next = nextMarkup(html);
  for (let piece = next(0); piece !== null; piece = next(at)) {
    out += html.slice(at, piece.start) + filterPiece(html.slice(piece.start, piece.end), policy);
    at = piece.end;
  }
  return out + html.slice(at);
}

function filterPiece(text: string, policy: Policy): string {
  const piece = text.replaceAll('\\"', '"');
  if (piece === '>') return '&gt;';
  if (/^(?:<\/[^a-zA-Z][^>]*>|<![a-z][^>]*>)$/.test(piece)) {
    return `<${piece[1]}${filterFully(piece.slice(2, -1), policy)}>`;
  }
  if (!piece.startsWith('<!--')) return filterTag(piece, policy);
  const inner = filterFully(piece.replace(/<!--|-->/g, ''), policy);
  return inner === '' ? '' : `<!--${inner.replace(/--+/g, '-').replace(/-$/, '')}-->`;
}

/** Filters until nothing changes any more: what was hidden in a comment can come to light in the first pass. */
function filterFully(text: string, policy: Policy): string {
  let filtered = filterBy(text, policy);
  for (let pass = 1; pass < MAX_PASSES && ODD.test(filtered); pass++) {
    const before = filtered;
    filtered = filterBy(before, policy);
    if (filtered === before) break;
  }
  return filtered;
}
