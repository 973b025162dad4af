import { ascending } from './ascending.ts';
import { SPACE } from './blank.ts';
import { Edits } from './edits.ts';
import { setDoubleQuotes, setSingleQuotes } from './quotes.ts';
import { escapeAmpersands } from './references.ts';
import { hasShortcodes, shortcodeNames } from './shortcode.ts';

const NEEDED = /['"`&-]|\.\.\.|\(tm\)|\dx\d|[.,]x\d/;
const CODE = new Set(['pre', 'code', 'kbd', 'style', 'script', 'tt']);
const LONGEST_CODE = 6;
const [BLANK, SLASH] = [32, 47];

// Words that start with an apostrophe rather than an opening quote.
const ELIDED = ['tain’t', 'twere', 'twas', 'tis', 'twill', 'til', 'bout', 'nuff', 'round', 'cause', 'em'].map(
  (word) => ({
    from: `'${word.replace('’', "'")}`,
    to: `&#8217;${word.replace('’', '&#8217;')}`,
  }),
);

const LONE_DOUBLE_DASH = new RegExp(`(?<=^|${SPACE})--(?=\\n?$|${SPACE})`, 'g');
const LONE_DASH = new RegExp(`(?<=^|${SPACE})-(?=\\n?$|${SPACE})`, 'g');

/**
 * Converts plain characters to curly quotes, primes, dashes, ellipses, `×` and `™`, and lone ampersands to `&#038;`. In tags only
 * ampersands change; comments, known shortcodes and code are unchanged.
 */
export function typography(html: string): string {
  if (!NEEDED.test(html)) return html;
  const words = hasShortcodes(html) ? bracketFinder(html) : noBrackets;
  if (words === noBrackets && !html.includes('<')) return setText(html);
  const tags = ascending(html, '<');
  const edits = new Edits(html);
  const open: string[] = [];
  const needed = new RegExp(NEEDED, 'g');
  let next = 0;
  for (let at = 0; at < html.length; ) {
    const tag = tags(at);
    const word = words(at);
    const isWord = word !== null && (tag < 0 || word.start < tag);
    const textEnd = isWord ? word.start : tag < 0 ? html.length : tag;
    if (next >= 0 && next < at) next = placeOf(needed, html, at);
    if (next >= 0 && next < textEnd && open.length === 0) setPart(edits, html, [at, textEnd], setText);
    if (isWord) {
      at = word.end;
      continue;
    }
    if (tag < 0) break;
    at = tagEnd(html, tag);
    if (html.startsWith('<!--', tag)) continue;
    if (next >= 0 && next < tag) next = placeOf(needed, html, tag);
    // Ampersands are among the characters searched for.
    if (next >= 0 && next < at) setPart(edits, html, [tag, at], escapeAmpersands);
    trackCode(html, tag, at, open);
  }
  return edits.finish();
}

interface Place {
  readonly start: number;
  readonly end: number;
}

const noBrackets = (): Place | null => null;
const WORD = new RegExp(`\\[[/[]?(?:${shortcodeNames.join('|')})(?=[\\s\\]/])`, 'g');
const SPECIAL = /[[\]<>]/g;
const ENDING = /[[\]>]/g;

/** Finds the tags of known shortcodes, opening and closing ones separately; offsets must ascend. */
function bracketFinder(html: string): (from: number) => Place | null {
  let found: Place | null = { start: -1, end: 0 };
  return (from) => {
    while (found !== null && found.start < from) found = wordFrom(html, Math.max(from, found.end));
    return found;
  };
}

/** The next shortcode tag at or after an offset. */
function wordFrom(html: string, from: number): Place | null {
  for (let at = from; ; ) {
    WORD.lastIndex = at;
    const start = WORD.exec(html)?.index;
    if (start === undefined) return null;
    const end = wordEnd(html, WORD.lastIndex);
    if (end > 0) return { start, end };
    at = WORD.lastIndex;
  }
}

/** End of a shortcode tag, including one extra bracket; 0 if it is not closed. Its attributes may contain tags. */
function wordEnd(html: string, from: number): number {
  for (let at = placeOf(SPECIAL, html, from); at >= 0; ) {
    if (html[at] === ']') return html[at + 1] === ']' ? at + 2 : at + 1;
    const end = html[at] === '<' ? placeOf(ENDING, html, at) : -1;
    if (end < 0 || html[end] !== '>') return 0;
    at = placeOf(SPECIAL, html, end + 1);
  }
  return 0;
}

function placeOf(pattern: RegExp, html: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(html)?.index ?? -1;
}

function setPart(edits: Edits, html: string, [start, end]: [number, number], set: (text: string) => string): void {
  const text = html.slice(start, end);
  const changed = set(text);
  if (changed !== text) edits.replace(start, end, changed);
}

function setText(text: string): string {
  let set = text;
  if (set.includes('...')) set = set.replaceAll('...', '&#8230;');
  if (set.includes('``')) set = set.replaceAll('``', '&#8220;');
  if (set.includes("''")) set = set.replaceAll("''", '&#8221;');
  if (set.includes(' (tm)')) set = set.replaceAll(' (tm)', ' &#8482;');
  if (set.includes("'")) {
    for (const { from, to } of ELIDED) set = set.replaceAll(from, to);
    set = setSingleQuotes(set);
  }
  if (set.includes('"')) set = setDoubleQuotes(set);
  if (set.includes('-')) set = setDashes(set);
  return escapeAmpersands(setTimesSigns(set));
}

function setDashes(text: string): string {
  let set = text;
  if (set.includes('--')) {
    set = set.replaceAll('---', '&#8212;').replace(LONE_DOUBLE_DASH, '&#8212;');
    // `xn--` starts an internationalised domain name.
    set = set.replace(/(?<!xn)--/g, '&#8211;');
  }
  return set.replace(LONE_DASH, '&#8211;');
}

function tagEnd(html: string, start: number): number {
  const comment = html.startsWith('<!--', start);
  const end = comment ? html.indexOf('-->', start + 2) : html.indexOf('>', start);
  if (end < 0) return html.length;
  return comment ? end + 3 : end + 1;
}

/** Maintains the stack of open code elements; each is closed only by its own end tag. */
function trackCode(html: string, start: number, end: number, open: string[]): void {
  const closing = html.charCodeAt(start + 1) === SLASH;
  if (closing && open.length === 0) return;
  const nameStart = closing ? start + 2 : start + 1;
  const tagEnd = end - 1;
  const limit = Math.min(tagEnd, nameStart + LONGEST_CODE + 1);
  let nameEnd = nameStart;
  while (nameEnd < limit && html.charCodeAt(nameEnd) !== BLANK) nameEnd++;
  if (nameEnd - nameStart > LONGEST_CODE) return;
  const name = html.slice(nameStart, nameEnd);
  if (!CODE.has(name)) return;
  if (!closing) open.push(name);
  else if (open.at(-1) === name) open.pop();
}

/** Replaces the `x` between two numbers with a multiplication sign: in `3x4`, but not in `0x1f` or a chain like `2x3x4`. */
function setTimesSigns(text: string): string {
  if (!/\dx\d/.test(text)) return text;
  let out = '';
  let done = 0;
  for (let x = text.indexOf('x', 1); x > 0; x = text.indexOf('x', x + 1)) {
    if (!isDigit(text.charCodeAt(x + 1))) continue;
    if (!hasLeftNumber(text, x, done)) continue;
    const end = rightEnd(text, x + 1);
    if (end < 0) continue;
    out += `${text.slice(done, x)}&#215;`;
    done = x + 1;
    // The right number cannot be the left number of another sign.
    out += text.slice(done, end);
    done = end;
  }
  return out + text.slice(done);
}

/** Whether a number starts at a word boundary and reaches `x`; a single zero does not count. */
function hasLeftNumber(text: string, x: number, floor: number): boolean {
  let start = x;
  while (start > floor && isNumeric(text.charCodeAt(start - 1))) start--;
  for (let at = start; at < x; at++) {
    const code = text.charCodeAt(at);
    if (!isDigit(code) || isWord(text.charCodeAt(at - 1))) continue;
    if (code !== 48 || x - at > 1) return true;
  }
  return false;
}

/** End of the number that starts at `from` and ends at a word boundary, or -1. */
function rightEnd(text: string, from: number): number {
  let end = from + 1;
  while (isNumeric(text.charCodeAt(end))) end++;
  for (; end > from; end--) {
    if (isWord(text.charCodeAt(end - 1)) !== isWord(text.charCodeAt(end))) return end;
  }
  return -1;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isNumeric(code: number): boolean {
  return isDigit(code) || code === 46 || code === 44;
}

function isWord(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
}
