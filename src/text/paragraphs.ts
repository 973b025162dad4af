import { ascending } from './ascending.ts';
import { BLANK, backOverBlanks, skipBlanks, trimText } from './blank.ts';
import { dropAfterBlocks, dropStartBeforeBlocks, isolateBlocks, unwrapBlocks } from './block-elements.ts';
import { Edits } from './edits.ts';
import { collapseEmbedded } from './embedded-elements.ts';
import { hideLines, hidePreformatted, KEPT_LINE, protectLines } from './hidden-lines.ts';
import { Output } from './output.ts';

const LINE = 10;
const DOUBLE_BREAK = new RegExp(`<br${BLANK}*/?>${BLANK}*<br${BLANK}*/?>`, 'g');
const EMPTY = new RegExp(`<p>${BLANK}*</p>`, 'g');
const BREAK_BEFORE_BLOCK = new RegExp(`<br />(${BLANK}*</?(?:p|li|div|dl|dd|dt|th|pre|td|ul|ol)[^>]*>)`, 'g');

/**
 * Makes paragraphs: `<p>` at empty lines, `<br />` at other line ends, neither around block elements. The result ends with a line break
 * (interface behaviour, section 25).
 */
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
  let text = html.replace(EMPTY, '').replace(/<p>([^<]+)<\/(div|address|form)>/g, '<p>$1</p></$2>');
  text = freeItems(unwrapBlocks(text));
  text = text
    .replace(/<p><blockquote([^>]*)>/gi, '<blockquote$1><p>')
    .replaceAll('</blockquote></p>', '</p></blockquote>');
  return dropAfterBlocks(dropStartBeforeBlocks(text), '</p>');
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
