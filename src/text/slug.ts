import { stripTags } from '#blocks/strip.ts';
import { withoutMarkRuns } from './fold.ts';

/** Maximum length of a slug; a percent escape counts as three characters. */
export const slugLimit = 200;

// Replacements of letters: a replacement followed by the letters that it replaces.
const LETTERS = `
A ÀÁÂÃÄÅĀĂĄǍẦẰẢẨẲẪẴẤẮẠẬẶ a ªàáâãäåāăąǎầằảẩẳẫẵấắạậặɑ AE Æ ae æ C ÇĆĈĊČ c çćĉċč D ÐĎĐ d ðďđ E ÈÉÊËĒĔĖĘĚƏ€ỀẺỂẼỄẾẸỆ
e èéêëēĕėęěǝềẻểẽễếẹệ G ĜĞĠĢ g ĝğġģ H ĤĦ h ĥħ I ÌÍÎÏĨĪĬĮİǏỈỊ i ìíîïĩīĭįıǐỉị IJ Ĳ ij ĳ J Ĵ j ĵ K Ķ k ķĸ L ĹĻĽĿŁ l ĺļľŀł
N ÑŃŅŇŊ n ñńņňŉŋ O ÒÓÔÕÖØŌŎŐƠǑỒỜỎỔỞỖỠỐỚỌỘỢ o ºòóôõöøōŏőơǒồờỏổởỗỡốớọộợ OE Œ oe œ R ŔŖŘ r ŕŗř S ŚŜŞŠȘ s ßśŝşšſș T ŢŤŦȚ
t ţťŧț TH Þ th þ U ÙÚÛÜŨŪŬŮŰŲƯǓǕǗǙǛỪỦỬỮỨỤỰ u ùúûüũūŭůűųưǔǖǘǚǜừủửữứụự W Ŵ w ŵ Y ÝŶŸỲỶỸỴ y ýÿŷỳỷỹỵ Z ŹŻŽ z źżž`;

// Removed besides ASCII punctuation: quotation marks, lone accents, signs, and characters without width.
const REMOVED = new Set(
  '£\u00ad¡¿«»‹›‘’“”‚‛„‟•©®°…™´ˊ\u0301\u0341\u0300\u0304\u030c\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\ufeff\ufffc',
);

const DASHES = new Set(
  '\u00a0\u2011–—\u2028\u2029\u202f\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a/',
);
const PLAIN = readLetters();

// The rules above also apply to percent escapes of these characters.
const ESCAPED: ReadonlyMap<string, string> = new Map([
  ...[...REMOVED].filter((char) => char !== '£').map((char): [string, string] => [escapeChar(char), '']),
  ...[...DASHES].filter((char) => char !== '/').map((char): [string, string] => [escapeChar(char), '-']),
  [escapeChar('×'), 'x'],
]);
const EACH_ESCAPED = new RegExp([...ESCAPED.keys()].join('|'), 'g');
/** Needs no normalising: what most titles become. */
const UNCHANGED = new RegExp(`^(?=.{1,${slugLimit}}$)[a-z0-9_]+(?:-[a-z0-9_]+)*$`);

/**
 * Makes a slug from a title or a given slug: lower-case letters, digits, `-` and `_`, other scripts as percent escapes (interface
 * behaviour, section 12). May be empty.
 */
export function slugify(text: string): string {
  if (UNCHANGED.test(text)) return text;
  let slug = makeSlug(text);
  // Removing characters can form new replaceable sequences, so this repeats until nothing changes.
  for (let before = ''; before !== slug && !UNCHANGED.test(slug); ) {
    before = slug;
    slug = makeSlug(before);
  }
  return slug;
}

/** Appends a number to a slug: `name-2`. */
export function numberSlug(base: string, n: number): string {
  return suffixSlug(base, `-${n}`);
}

/** Numbers that are looked up one by one before all are read. */
const few = 4;

export interface NumberedSlug {
  readonly base: string;
  readonly isTaken: (slug: string) => boolean;
  /** What follows a stem and a dash in slugs that are taken. Absent: all are looked up one by one. */
  readonly endings?: ((stem: string) => readonly string[]) | undefined;
}

/** A slug with the first free number from 2 upwards. */
export function freeNumberedSlug({ base, isTaken, endings }: NumberedSlug): string {
  let known: { readonly stem: string; readonly taken: ReadonlySet<string> } | undefined;
  for (let n = 2; ; n++) {
    const ending = String(n);
    if (known?.taken.has(ending)) continue;
    const slug = numberSlug(base, n);
    if (!isTaken(slug)) return slug;
    // A longer number may leave a long base less room.
    const stem = slug.slice(0, -1 - ending.length);
    if (n > few && stem !== known?.stem) known = { stem, taken: new Set(endings?.(stem)) };
  }
}

/** Appends a suffix to a slug, which is shortened to fit the limit without cutting a character apart. */
export function suffixSlug(base: string, suffix: string): string {
  return trimEndDashes(cut(base, slugLimit - suffix.length)) + suffix;
}

// Path segments that follow an entry's address, for its feeds and its embedded form.
const ADDRESSES = new Set(['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed']);

/** Whether a slug always gets a number, because its address would mean something else. */
export function isReservedSlug(kind: 'post' | 'page' | 'other', slug: string): boolean {
  if (ADDRESSES.has(slug)) return true;
  if (kind === 'other') return false;
  return kind === 'page' ? /^(?:page)?\d+$/.test(slug) : /^0*[1-9]\d*$/.test(slug);
}

function makeSlug(text: string): string {
  const bare = stripTags(plainLetters(text));
  const marked = bare.replace(/%([a-fA-F0-9]{2})/g, '---$1---').replaceAll('%', '');
  const escaped = encode(marked.replace(/---([a-fA-F0-9]{2})---/g, '%$1').toLowerCase(), slugLimit).toLowerCase();
  const slug = escaped
    .replace(/&(?:nbsp|#160|ndash|#8211|mdash|#8212);/g, '-')
    .replaceAll('/', '-')
    .replace(EACH_ESCAPED, (found) => ESCAPED.get(found) ?? '')
    .replace(/&.+?;/g, '')
    .replaceAll('.', '-')
    .replace(/[^%a-z0-9 _-]/g, '')
    .replace(/[ -]+/g, '-');
  return trimEndDashes(slug.startsWith('-') ? slug.slice(1) : slug);
}

/** Replaces accented Latin letters with plain ones; keeps everything else. */
export function plainLetters(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text;
  let plain = '';
  for (const char of withoutMarkRuns(text).normalize('NFC')) plain += PLAIN.get(char) ?? char;
  return plain;
}

/** Percent-encodes everything outside ASCII, up to `limit` characters. No escape is cut, neither a new nor a given one. */
function encode(text: string, limit: number): string {
  let out = '';
  for (const char of text) {
    const next = char < '\u0080' ? char : escapeChar(char);
    if (out.length + next.length > limit) break;
    out += next;
  }
  return out.replace(/%[0-9a-f]?$/i, '');
}

function cut(slug: string, length: number): string {
  if (slug.length <= length) return slug;
  const bytes = /(?:%(?:[0-7][0-9a-f])|%[89a-f][0-9a-f](?:%[89ab][0-9a-f])*|[^%]|%)/gy;
  let end = 0;
  for (let found = bytes.exec(slug); found !== null && bytes.lastIndex <= length; found = bytes.exec(slug)) {
    end = bytes.lastIndex;
  }
  return slug.slice(0, end);
}

function trimEndDashes(slug: string): string {
  let end = slug.length;
  while (slug[end - 1] === '-') end--;
  return slug.slice(0, end);
}

function escapeChar(char: string): string {
  return encodeURIComponent(char.toWellFormed()).toLowerCase();
}

function readLetters(): Map<string, string> {
  const words = LETTERS.trim().split(/\s+/);
  const letters = new Map<string, string>([['£', '']]);
  for (let i = 0; i + 1 < words.length; i += 2) {
    for (const letter of words[i + 1] ?? '') letters.set(letter, words[i] ?? '');
  }
  return letters;
}
