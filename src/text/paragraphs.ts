import { BLANK, backOverBlanks, skipBlanks, trimText } from './blank.ts';
import { dropAfterBlocks, dropStartBeforeBlocks, isolateBlocks, unwrapBlocks } from './block-elements.ts';
import { collapseEmbedded } from './embedded-elements.ts';
import { hideLines, hidePreformatted, KEPT_LINE, protectLines } from './hidden-lines.ts';

const DOUBLE_BREAK = new RegExp(`<br${BLANK}*/?>${BLANK}*<br${BLANK}*/?>`, 'g');
const EMPTY_LINES = new RegExp(`\\n${BLANK}*\\n`);
const EMPTY = new RegExp(`<p>${BLANK}*</p>`, 'g');
const BREAK_BEFORE_BLOCK = new RegExp(`<br />(${BLANK}*</?(?:p|li|div|dl|dd|dt|th|pre|td|ul|ol)[^>]*>)`, 'g');

/**
 * Makes paragraphs of text: at empty lines `<p>`, at other line ends `<br />`, around block elements neither; ends
 * with a line break (interface behaviour, section 25).
 */
export function paragraphs(html: string): string {
  if (trimText(html) === '') return '';
  if (!html.includes('<')) return plainParagraphs(html);
  const pre = hidePreformatted(`${html}\n`);
  let text = pre.text.replace(DOUBLE_BREAK, '\n\n');
  text = hideLines(isolateBlocks(text).replace(/\r\n?/g, '\n'));
  text = wrap(collapseEmbedded(text).replace(/\n\n+/g, '\n\n'));
  text = mend(text);
  text = breakLines(protectLines(text).replace(/<br\/?>/g, '<br />')).replaceAll(KEPT_LINE, '\n');
  text = dropAfterBlocks(text, '<br />').replace(BREAK_BEFORE_BLOCK, '$1');
  if (text.endsWith('\n</p>')) text = `${text.slice(0, -5)}</p>`;
  else if (text.endsWith('\n</p>\n')) text = `${text.slice(0, -6)}</p>\n`;
  return pre.restore(text);
}

/** Text without any tag, the common case, needs no more than this. */
function plainParagraphs(text: string): string {
  let out = '';
  for (const part of parts(`${text}\n`.replace(/\r\n?/g, '\n'))) {
    const body = trimLines(part);
    out += skipBlanks(body, 0) === body.length ? '\n' : plainParagraph(body);
  }
  return out;
}

function plainParagraph(body: string): string {
  const lines = breakLines(body);
  const start = skipBlanks(lines, 0);
  return `<p>${lines.startsWith('<br />', start) ? lines.slice(start + 6) : lines}</p>\n`;
}

function wrap(text: string): string {
  let out = '';
  for (const part of parts(text)) out += `<p>${trimLines(part)}</p>\n`;
  return out;
}

function parts(text: string): string[] {
  return text.split(EMPTY_LINES).filter((part) => part !== '');
}

/** Puts right what wrapping everything in paragraphs did around block elements. */
function mend(html: string): string {
  let text = html.replace(EMPTY, '').replace(/<p>([^<]+)<\/(div|address|form)>/g, '<p>$1</p></$2>');
  text = freeItems(unwrapBlocks(text));
  text = text
    .replace(/<p><blockquote([^>]*)>/gi, '<blockquote$1><p>')
    .replaceAll('</blockquote></p>', '</p></blockquote>');
  return dropAfterBlocks(dropStartBeforeBlocks(text), '</p>');
}

/** Takes list items out of paragraphs. */
function freeItems(text: string): string {
  let out = '';
  let done = 0;
  for (let start = text.indexOf('<p><li'); start >= 0; start = text.indexOf('<p><li', start + 1)) {
    const end = text.indexOf('</p>', start + 7);
    if (end < 0) break;
    const line = text.indexOf('\n', start);
    if (line >= 0 && line < end) {
      // No end tag on this line, nor for any other item on it.
      start = line;
      continue;
    }
    out += text.slice(done, start) + text.slice(start + 3, end);
    done = end + 4;
    start = done - 1;
  }
  return out + text.slice(done);
}

/** Puts `<br />` at each line end that has none, in place of the white space before it. */
function breakLines(text: string): string {
  let out = '';
  let done = 0;
  for (let line = text.indexOf('\n'); line >= 0; line = text.indexOf('\n', done)) {
    let start = backOverBlanks(text, line, done);
    const last = text.lastIndexOf('\n', skipBlanks(text, line) - 1);
    if (text.endsWith('<br />', start) && text.slice(start - 6, start) === '<br />') start++;
    out += text.slice(done, start) + (start <= last ? '<br />\n' : '');
    done = last + 1;
  }
  return out + text.slice(done);
}

function trimLines(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === '\n') start++;
  while (end > start && text[end - 1] === '\n') end--;
  return text.slice(start, end);
}
