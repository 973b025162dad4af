import { ascending } from './ascending.ts';
import { BLANK, backOverBlanks, isBlank, skipBlanks, trimText } from './blank.ts';
import { Edits } from './edits.ts';
import { collapseEmbedded, hideLines, hidePreformatted, KEPT_LINE, protectLines } from './hidden-lines.ts';
import { Output } from './output.ts';
import { typography } from './typography.ts';

const LINE = 10;
const DOUBLE_BREAK = new RegExp(`<br${BLANK}*/?>${BLANK}*<br${BLANK}*/?>`, 'g');
const EMPTY = new RegExp(`<p>${BLANK}*</p>`, 'g');
const BREAK_BEFORE_BLOCK = new RegExp(`<br />(${BLANK}*</?(?:p|li|div|dl|dd|dt|th|pre|td|ul|ol)[^>]*>)`, 'g');

// Most rules match prefixes rather than whole names: `<p` also matches `<param`, `<li` also `<link`.
const NAMES =
  'table|thead|tfoot|caption|col|colgroup|tbody|tr|td|th|div|dl|dd|dt|ul|ol|li|pre|form|map|area|blockquote|address|' +
  'style|p|h[1-6]|hr|fieldset|legend|section|article|aside|hgroup|header|footer|nav|figure|figcaption|details|' +
  'menu|summary';

const BLOCKS = new Set(NAMES.replace('h[1-6]', 'h1|h2|h3|h4|h5|h6').split('|'));
const LONGEST_NAME = 10;
const ANY = new RegExp(`</?(?:${NAMES})`, 'y');
const WRAPPED = new RegExp(`<p>${BLANK}*(</?(?:${NAMES})[^>]*>)${BLANK}*</p>`, 'g');
const PRECEDED = new RegExp(`<p>${BLANK}*(</?(?:${NAMES})[^>]*>)`, 'g');
const [SLASH, LESS, GREATER] = [47, 60, 62];

/** Makes paragraphs: `<p>` at empty lines, `<br />` at other line ends, neither around block elements. The result ends with a line break. */
export function paragraphs(html: string): string {
  if (trimText(html) === '') return '';
  if (!html.includes('<')) return plainParagraphs(html);
  const pre = hidePreformatted(`${html}\n`);
  let text = pre.text.replace(DOUBLE_BREAK, '\n\n');
  text = hideLines(isolateBlocks(text).replace(/\r\n?/g, '\n'));
  text = wrap(collapseEmbedded(text).replace(/\n{3,}/g, '\n\n'));
  text = mend(text);
  text = breakLines(protectLines(text).replace(/<br\/?>/g, '<br />')).replaceAll(KEPT_LINE, '\n');
  text = dropAfterBlocks(text, '<br />').replace(BREAK_BEFORE_BLOCK, '$1');
  if (text.endsWith('\n</p>')) text = `${text.slice(0, -5)}</p>`;
  else if (text.endsWith('\n</p>\n')) text = `${text.slice(0, -6)}</p>\n`;
  return pre.restore(text);
}

function plainParagraphs(html: string): string {
  if (!html.includes('\n') && !html.includes('\r')) return `<p>${html}</p>\n`;
  const out = new Output();
  const text = `${html}\n`.replace(/\r\n?/g, '\n');
  eachPart(text, (start, end) => {
    if (skipBlanks(text, start) >= end) return out.add('\n');
    out.add('<p>');
    addLines(out, text, start, end);
    out.add('</p>\n');
  });
  return out.finish();
}

/** Appends a part with `<br />` at its line ends, except at one preceded only by blanks. */
function addLines(out: Output, text: string, start: number, end: number): void {
  let done = start;
  for (let line = text.indexOf('\n', start); line >= 0 && line < end; line = text.indexOf('\n', done)) {
    const from = backOverBlanks(text, line, done);
    out.add(text, done, from);
    out.add(from === start ? '\n' : '<br />\n');
    done = lastLineOfBlanks(text, line) + 1;
  }
  out.add(text, done, end);
}

function wrap(text: string): string {
  const out = new Output();
  eachPart(text, (start, end) => {
    out.add('<p>');
    out.add(text, start, end);
    out.add('</p>\n');
  });
  return out.finish();
}

function eachPart(text: string, visit: (start: number, end: number) => void): void {
  let from = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at)) {
    const line = at;
    const last = lastLineOfBlanks(text, line);
    at = last + 1;
    if (last === line) continue;
    if (line > from) visitTrimmed(text, from, line, visit);
    from = at;
  }
  if (from < text.length) visitTrimmed(text, from, text.length, visit);
}

/** Offset of the last line end in the white space that starts with the line end at `line`. */
function lastLineOfBlanks(text: string, line: number): number {
  let last = skipBlanks(text, line) - 1;
  while (text.charCodeAt(last) !== LINE) last--;
  return last;
}

function visitTrimmed(text: string, from: number, to: number, visit: (start: number, end: number) => void): void {
  let [start, end] = [from, to];
  while (start < end && text.charCodeAt(start) === LINE) start++;
  while (end > start && text.charCodeAt(end - 1) === LINE) end--;
  visit(start, end);
}

function mend(html: string): string {
  let text = freeItems(unwrapBlocks(closeBeforeBlockEnds(html.replace(EMPTY, ''))));
  text = text
    .replace(/<p><blockquote([^>]*)>/gi, '<blockquote$1><p>')
    .replaceAll('</blockquote></p>', '</p></blockquote>');
  return dropAfterBlocks(dropStartBeforeBlocks(text), '</p>');
}

/** Ends a paragraph without tags in it. Looks back from each end tag: a pattern for the words between takes too much stack for long ones. */
function closeBeforeBlockEnds(html: string): string {
  return html.replace(/<\/(?:div|address|form)>/g, (tag, at: number) => {
    const start = html.lastIndexOf('<', at - 1);
    return at > start + 3 && html.startsWith('<p>', start) ? `</p>${tag}` : tag;
  });
}

function freeItems(text: string): string {
  const edits = new Edits(text);
  const closers = ascending(text, '</p>');
  const lines = ascending(text, '\n');
  for (let start = text.indexOf('<p><li'); start >= 0; start = text.indexOf('<p><li', start + 1)) {
    const end = closers(start + 7);
    if (end < 0) break;
    const line = lines(start);
    if (line >= 0 && line < end) {
      // The item has no end tag on its line.
      start = line;
      continue;
    }
    edits.replace(start, start + 3, '');
    edits.replace(end, end + 4, '');
    start = end + 3;
  }
  return edits.finish();
}

/** Puts `<br />` at each line end without one, replacing the white space before it. */
function breakLines(text: string): string {
  const edits = new Edits(text);
  for (let line = text.indexOf('\n'); line >= 0; line = text.indexOf('\n', edits.done)) {
    let start = backOverBlanks(text, line, edits.done);
    const last = lastLineOfBlanks(text, line);
    if (start >= 6 && text.startsWith('<br />', start - 6)) start++;
    edits.replace(start, last + 1, start <= last ? '<br />\n' : '');
  }
  return edits.finish();
}

function isolateBlocks(html: string): string {
  const edits = new Edits(html);
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    const closing = html.charCodeAt(at + 1) === SLASH;
    const nameStart = closing ? at + 2 : at + 1;
    const nameEnd = endOfName(html, nameStart);
    if (nameEnd < 0 || !BLOCKS.has(html.slice(nameStart, nameEnd))) continue;
    const last = html.charCodeAt(nameEnd);
    if (closing) {
      if (last === GREATER) edits.replace(nameEnd + 1, nameEnd + 1, '\n\n');
    } else if (last === GREATER || last === SLASH || isBlank(last)) {
      edits.replace(at, at, '\n\n');
      const end = endOfRule(html, nameStart, nameEnd);
      if (end >= 0) edits.replace(end, end, '\n\n');
    }
  }
  return edits.finish();
}

function unwrapBlocks(html: string): string {
  return html.replace(WRAPPED, '$1');
}

function dropStartBeforeBlocks(html: string): string {
  return html.replace(PRECEDED, '$1');
}

/** Removes `unwanted`, which ends with `>`, and the white space before it where it follows a block tag. */
function dropAfterBlocks(html: string, unwanted: string): string {
  const edits = new Edits(html);
  for (let at = html.indexOf(unwanted); at >= 0; at = html.indexOf(unwanted, at + unwanted.length)) {
    const start = backOverBlanks(html, at, edits.done);
    const isAfterTag = start > edits.done && html.charCodeAt(start - 1) === GREATER;
    if (isAfterTag && hasBlock(html, edits.done, start - 1)) edits.replace(start, at + unwanted.length, '');
  }
  return edits.finish();
}

/** End of the letters and digits at `from`; -1 if there are none or too many for the name of a block element. */
function endOfName(html: string, from: number): number {
  for (let at = from; at <= from + LONGEST_NAME; at++) {
    const code = html.charCodeAt(at);
    if (!((code >= 97 && code <= 122) || (code >= 49 && code <= 54))) return at > from ? at : -1;
  }
  return -1;
}

function endOfRule(html: string, nameStart: number, nameEnd: number): number {
  if (nameEnd - nameStart !== 2 || !html.startsWith('hr', nameStart)) return -1;
  const blank = skipBlanks(html, nameEnd);
  const close = html.charCodeAt(blank) === SLASH ? blank + 1 : blank;
  return html.charCodeAt(close) === GREATER ? close + 1 : -1;
}

/** Whether a block tag starts before `end`, after the last `>` and not before `floor`. */
function hasBlock(html: string, floor: number, end: number): boolean {
  for (let at = end - 1; at >= floor; at--) {
    const code = html.charCodeAt(at);
    if (code === GREATER) return false;
    ANY.lastIndex = at;
    if (code === LESS && ANY.test(html)) return true;
  }
  return false;
}

/** `paragraphs` of a text with `typography`. */
export function setParagraphs(text: string): string {
  return paragraphs(typography(text));
}
