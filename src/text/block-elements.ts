import { BLANK, backOverBlanks, isBlank, skipBlanks } from './blank.ts';
import { Edits } from './edits.ts';

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

export function isolateBlocks(html: string): string {
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

export function unwrapBlocks(html: string): string {
  return html.replace(WRAPPED, '$1');
}

export function dropStartBeforeBlocks(html: string): string {
  return html.replace(PRECEDED, '$1');
}

/** Removes `unwanted`, which ends with `>`, and the white space before it where it follows a block tag. */
export function dropAfterBlocks(html: string, unwanted: string): string {
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
