import { SPACE } from './blank.ts';
import { setDoubleQuotes, setSingleQuotes } from './quotes.ts';
import { escapeAmpersands } from './references.ts';
import { setTimesSigns } from './times-sign.ts';

export { smileys } from './smileys.ts';

const NEEDED = /['"`&-]|\.\.\.|\(tm\)|\dx\d|[.,]x\d/;
const CODE = new Set(['pre', 'code', 'kbd', 'style', 'script', 'tt']);

// Words that begin with an apostrophe, not with an opening quote.
const ELIDED = ['tain’t', 'twere', 'twas', 'tis', 'twill', 'til', 'bout', 'nuff', 'round', 'cause', 'em'].map(
  (word) => ({
    from: `'${word.replace('’', "'")}`,
    to: `&#8217;${word.replace('’', '&#8217;')}`,
  }),
);

const LONE_DOUBLE_DASH = new RegExp(`(?<=^|${SPACE})--(?=\\n?$|${SPACE})`, 'g');
const LONE_DASH = new RegExp(`(?<=^|${SPACE})-(?=\\n?$|${SPACE})`, 'g');

/**
 * Sets the plain characters of a text properly: curly quotes, primes, dashes, ellipses, `×`, `™`, and `&#038;` for
 * lone ampersands. Tags keep everything but their ampersands, comments all; nothing is set inside code
 * (interface behaviour, section 25).
 */
export function typography(html: string): string {
  if (!NEEDED.test(html)) return html;
  if (!html.includes('<')) return setText(html);
  let out = '';
  const open: string[] = [];
  for (let at = 0; at < html.length; ) {
    const tag = html.indexOf('<', at);
    const textEnd = tag < 0 ? html.length : tag;
    if (textEnd > at) out += open.length > 0 ? html.slice(at, textEnd) : setText(html.slice(at, textEnd));
    if (tag < 0) break;
    at = tagEnd(html, tag);
    out += setTag(html.slice(tag, at), open);
  }
  return out;
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
    // `xn--` begins an internationalised domain name.
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

function setTag(tag: string, open: string[]): string {
  if (tag.startsWith('<!--')) return tag;
  const set = escapeAmpersands(tag);
  trackCode(set, open);
  return set;
}

/** Keeps the stack of open code elements; one is only closed by its own end tag. */
function trackCode(tag: string, open: string[]): void {
  const closing = tag[1] === '/';
  if (closing && open.length === 0) return;
  const blank = tag.indexOf(' ');
  const name = tag.slice(closing ? 2 : 1, blank < 0 ? -1 : blank);
  if (!CODE.has(name)) return;
  if (!closing) open.push(name);
  else if (open.at(-1) === name) open.pop();
}
