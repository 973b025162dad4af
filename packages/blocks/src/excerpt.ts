import { skipBlanks } from './blank.ts';
import { attributesOf, type Block, hasBlocks, parseBlocks } from './blocks.ts';
import { spellBrandInText } from './brand.ts';
import { embedAddresses } from './embed-lines.ts';
import { easeLoading } from './images.ts';
import { paragraphs, setParagraphs } from './paragraphs.ts';
import { escapeShortReferences } from './references.ts';
import { renderParsed } from './render-blocks.ts';
import { hasShortcodes } from './shortcode.ts';
import { renderShortcodes, unwrapShortcodes } from './shortcodes/render.ts';
import { dropShortcodes } from './shortcodes/run.ts';
import { smileys } from './smileys.ts';
import { stripMarkup } from './strip.ts';
import { isHidden } from './supports/outer-tag.ts';
import type { Surroundings } from './surroundings.ts';
import { typography } from './typography.ts';

/** Follows the last word of a shortened excerpt. */
export const MORE = ' [&hellip;]';
const PAGE_BREAK = '<!--nextpage-->';
/** Characters up to which a content is processed whole, which its rendering needs anyway. */
const SHORT = 2048;

// Blocks whose text may be part of an excerpt, and containers to search. `null` is text between blocks.
const TEXT_BLOCKS: ReadonlySet<string | null> = new Set([
  null,
  'core/freeform',
  'core/heading',
  'core/html',
  'core/list',
  'core/media-text',
  'core/paragraph',
  'core/preformatted',
  'core/pullquote',
  'core/quote',
  'core/table',
  'core/verse',
]);
const CONTAINERS: ReadonlySet<string | null> = new Set(['core/columns', 'core/column', 'core/group']);
const INLINE = '</?(?:a|b|em|i|mark|s|span|strong|sub|sup|u)(?: [^<>]*)?>';
const ELEMENT = new RegExp(`<(p|h[1-6])(?: [^<>]*)?>([^<>]*(?:${INLINE}[^<>]*)*)</\\1>`, 'y');
// How a straight quotation mark is rendered can depend on the text up to the next tag.
const PLAIN = new RegExp(`^[^<>"'\`]*(?:${INLINE}[^<>"'\`]*)*$`);
const EMPTY_LINE = '\n\n';
const TAG = /<[^<>]*>/g;
const WORD = /\S+/g;

/** Makes an excerpt as HTML: the first `length` words of a content without markup; '' if there are none. */
export function makeExcerpt(content: string, length: number, within: Surroundings): string {
  return showExcerpt(makeExcerptText(content, length, within));
}

/** The first `length` words of a content, with a mark if there are more. */
export function makeExcerptText(content: string, length: number, within: Surroundings): string {
  if (content === '') return '';
  const text = dropFootnoteMarks(pickBlocks(dropShortcodes(teaser(firstPage(content))), within));
  // Shortcodes can be replaced with anything, also with fewer words.
  const start = text.length <= SHORT || hasShortcodes(text) ? text : beginning(text, length);
  let found = wordsOf(start, length + 1, within);
  if (found.length <= length && start !== text) found = wordsOf(text, length + 1, within);
  return found.length > length ? found.slice(0, length).join(' ') + MORE : found.join(' ');
}

export function showExcerpt(text: string): string {
  return easeLoading(unwrapShortcodes(paragraphs(escapeShortReferences(smileys(typography(text))))));
}

export function firstPage(content: string): string {
  if (!content.includes(PAGE_BREAK)) return content;
  const text = content
    .replace(/\n?<!--nextpage-->\n?/g, PAGE_BREAK)
    .replaceAll('<!-- wp:nextpage -->', '')
    .replaceAll('<!-- /wp:nextpage -->', '');
  const start = text.startsWith(PAGE_BREAK) ? PAGE_BREAK.length : 0;
  const end = text.indexOf(PAGE_BREAK, start);
  return text.slice(start, end < 0 ? text.length : end);
}

export function teaser(content: string): string {
  const mark = findOnLine(content, '<!--more', '-->');
  if (mark < 0) return content;
  // Removes the opening delimiter of a block around the mark; other blocks that are cut end with the text.
  const text = content.slice(0, mark);
  const start = text.lastIndexOf('<!-- wp:more ');
  return start >= 0 && /^<!-- wp:more [^\n>]*-->\s*$/.test(text.slice(start)) ? text.slice(0, start) : text;
}

/** Offset of the first `start` that is followed by `end` on the same line, or -1. */
function findOnLine(text: string, start: string, end: string): number {
  let at = text.indexOf(start);
  let stop = -1;
  while (at >= 0) {
    if (stop < at + start.length) stop = text.indexOf(end, at + start.length);
    if (stop < 0) return -1;
    const line = text.indexOf('\n', at);
    if (line < 0 || stop < line) return at;
    at = text.indexOf(start, line);
  }
  return -1;
}

function pickBlocks(content: string, within: Surroundings): string {
  if (!hasBlocks(content)) return content;
  const picked: Block[] = [];
  for (const block of parseBlocks(content)) {
    if (isHidden(attributesOf(block))) continue;
    const inner = blocksIn(block);
    if (CONTAINERS.has(block.name)) {
      for (const one of inner.length === 0 ? [block] : pickInside(block)) picked.push(one);
    } else if (TEXT_BLOCKS.has(block.name) && inner.every(isPlain)) picked.push(block);
  }
  return renderParsed(picked, { ...within, footnotes: '' });
}

function isPlain(block: Block): boolean {
  return TEXT_BLOCKS.has(block.name) && blocksIn(block).length === 0;
}

function pickInside(container: Block): Block[] {
  const picked: Block[] = [];
  const rest = blocksIn(container).reverse();
  for (let block = rest.pop(); block !== undefined; block = rest.pop()) {
    if (!TEXT_BLOCKS.has(block.name) && !CONTAINERS.has(block.name)) continue;
    if (isHidden(attributesOf(block))) continue;
    const inner = blocksIn(block);
    if (inner.length === 0) picked.push(block);
    else for (const one of inner.reverse()) rest.push(one);
  }
  return picked;
}

function blocksIn(block: Block): Block[] {
  return block.parts.filter((part) => typeof part !== 'string');
}

function dropFootnoteMarks(text: string): string {
  if (!text.includes('data-fn=')) return text;
  return text.replace(/<sup data-fn="[^"]+" class="[^"]+">\s*<a href="[^"]+" id="[^"]+">\d+<\/a>\s*<\/sup>/g, '');
}

function wordsOf(html: string, max: number, within: Surroundings): string[] {
  const { server } = within;
  const set = setParagraphs(server === undefined ? html : embedAddresses(html, server.embed));
  const put = renderShortcodes(spellBrandInText(unwrapShortcodes(set)), within);
  const shown = smileys(put).replaceAll(']]>', ']]&gt;');
  return firstWords(stripMarkup(shown), max);
}

/** A search by pattern takes twice as long. */
function firstWords(text: string, max: number): string[] {
  const words: string[] = [];
  let start = -1;
  for (let i = 0; i <= text.length && words.length < max; i++) {
    const isBetween = i === text.length || BETWEEN.has(text.charCodeAt(i));
    if (!isBetween) start = start < 0 ? i : start;
    else if (start >= 0) {
      words.push(text.slice(start, i));
      start = -1;
    }
  }
  return words;
}

/** Codes of line feed, carriage return, tab and space. */
const BETWEEN: ReadonlySet<number> = new Set([10, 13, 9, 32]);

/**
 * The beginning of a markup with slightly more than `words` words, if it is simple to find: whole paragraphs and headings whose rendering
 * is independent of what follows. Otherwise the whole markup.
 */
export function beginning(html: string, words: number): string {
  let left = words;
  let at = 0;
  while (left >= 0) {
    const start = skipBlanks(html, at);
    const part = elementAt(html, start) ?? paragraphAt(html, start);
    if (part === null) return html;
    left -= part.text.replace(TAG, '').match(WORD)?.length ?? 0;
    at = part.end;
  }
  return html.slice(0, at);
}

interface Part {
  readonly text: string;
  readonly end: number;
}

function elementAt(html: string, at: number): Part | null {
  ELEMENT.lastIndex = at;
  const text = ELEMENT.exec(html)?.[2];
  return text === undefined ? null : { text, end: ELEMENT.lastIndex };
}

function paragraphAt(html: string, at: number): Part | null {
  const end = html.indexOf(EMPTY_LINE, at);
  if (end < 0) return null;
  const text = html.slice(at, end);
  return PLAIN.test(text) ? { text, end: end + EMPTY_LINE.length } : null;
}
