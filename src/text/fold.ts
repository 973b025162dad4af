import { trimText } from '#blocks/blank.ts';
import { stripMarkup } from '#blocks/strip.ts';

export interface SearchTerms {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

// A mark on a Cyrillic letter makes another letter; on a Latin or Greek one it is only an accent.
const MARKS = /(?<![\u0400-\u04ff])[\u0300-\u036f]+/g;

/** Letters, digits and signs that stand for them in another form: `ﬁ`, `²`, `①`, `™`, half-width katakana. */
const FORMS = /[[\p{L}\p{N}\p{So}]--\p{Script_Extensions=Hangul}]/gv;
const KATAKANA = /[\u30a1-\u30f6\u30fd\u30fe]/g;
const TO_HIRAGANA = 0x60;
const DIGITS = /[\p{Nd}--[0-9]]/gv;

const OTHERS = /[ßæœøłđðħıŧþŋĸё]/;
const EACH_OTHER = /[ßæœøłđðħıŧþŋĸё]/g;

// Letters without a decomposition, and their plain equivalents.
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  þ: 'th',
  ŋ: 'n',
  ĸ: 'k',
  ё: 'е',
};

/** Characters from which counting bytes is faster than looking at each character. */
const long = 256;

const MAX_TERMS = 9;

const COMMON = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(
    ' ',
  ),
);

/**
 * Converts to lower case without accents, so that `Ä` equals `a`, and to the plain form of letters and digits, for searching and sorting.
 * Katakana becomes hiragana.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  if (text.length <= piece) return foldEach(text) ?? foldWhole(text);
  const parts: string[] = [];
  for (let from = 0; from < text.length; from += piece) {
    const part = foldEach(text.slice(from, from + piece));
    if (part === null) return foldWhole(text);
    parts.push(part);
  }
  return parts.join('');
}

/** Number of characters folded per step. */
const piece = 1 << 15;
const given = new Uint16Array(piece);
const folded = new Uint16Array(piece * 2);
const [givenBytes, foldedBytes] = [Buffer.from(given.buffer), Buffer.from(folded.buffer)];
const narrow = Buffer.alloc(piece * 2);

/** Folds a text by table; null if a character depends on its neighbours or its table entry is not initialised yet. */
function foldEach(text: string): string | null {
  // Takes half the time of reading each character from the string.
  givenBytes.write(text, 'utf16le');
  const { length } = text;
  let size = 0;
  let all = 0;
  for (let i = 0; i < length; i++) {
    const fold = folds[given[i]!]!;
    if (fold === 0) {
      learn(given[i]! >>> 8);
      return null;
    }
    all |= fold;
    folded[size++] = fold;
    // Some characters fold to two.
    if (fold >>> 16 !== 0) folded[size++] = fold >>> 16;
  }
  if ((all & 0xff00) !== 0) return foldedBytes.toString('utf16le', 0, size * 2);
  narrow.set(folded.subarray(0, size));
  return narrow.toString('latin1', 0, size);
}

/** Folded form of each code unit; 0: depends on its neighbours, or not initialised yet. */
const folds = new Int32Array(0x1_0000);
const known = new Set<number>();

function learn(upper: number): void {
  if (known.has(upper)) return;
  known.add(upper);
  for (let code = upper * 256; code < (upper + 1) * 256; code++) folds[code] = foldOf(code);
}

function foldOf(code: number): number {
  const unit = String.fromCharCode(code);
  if (DEPENDS.test(unit)) return 0;
  const fold = foldWhole(unit);
  // What becomes a mark changes the letter before it.
  return fold.length > 2 || /^\p{M}/u.test(fold)
    ? 0
    : fold.charCodeAt(0) + (fold.length === 2 ? fold.charCodeAt(1) * 0x1_0000 : 0);
}

// Marks, a final sigma, Hangul jamo; surrogates, except those of symbols from U+1F000.
const DEPENDS = /[\0Σ\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud83b\ud83f-\udbff[\p{M}--\ufe0f]]/v;

/** At most 30 marks follow each other: sorting a run of them takes time with the square of its length (Unicode Annex 15, section 13). */
export function withoutMarkRuns(text: string): string {
  return text.replace(/(\p{M}{30})\p{M}+/gu, '$1');
}

function foldWhole(text: string): string {
  const plain = text.replace(FORMS, (form) => form.normalize('NFKD')).replace(DIGITS, decimalOf);
  const apart = withoutMarkRuns(plain.toLowerCase()).normalize('NFD').replace(MARKS, '');
  const bare = apart.replace(KATAKANA, hiraganaOf).normalize('NFC');
  return OTHERS.test(bare) ? bare.replace(EACH_OTHER, (letter) => PLAIN[letter] ?? letter) : bare;
}

function hiraganaOf(letter: string): string {
  return String.fromCharCode(letter.charCodeAt(0) - TO_HIRAGANA);
}

/** The digits of a script follow each other, from 0 to 9. */
function decimalOf(digit: string): string {
  let zero = digit.codePointAt(0) ?? 0;
  const last = zero;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
  return String((last - zero) % 10);
}

export function isAscii(text: string): boolean {
  if (text.length >= long) return Buffer.byteLength(text) === text.length;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

/**
 * Parses a search: words, quoted phrases, and excluded words after a minus. Very common words and single letters are dropped; if nothing
 * remains, or more than nine terms, the whole text is the only term (interface behaviour, section 17).
 */
export function searchTerms(search: string): SearchTerms {
  const text = plainSearch(search);
  if (text === '') return { include: [], exclude: [] };
  const found = text.match(/"[^"]*(?:"|$)|(?:(?<=[ ",+])|^)[^ ",+]+/g) ?? [];
  const terms = found.map(trimTerm).filter(isWorthwhile);
  return split(terms.length === 0 || terms.length > MAX_TERMS ? [text] : terms);
}

function split(terms: readonly string[]): SearchTerms {
  return {
    include: terms.filter((term) => !term.startsWith('-')),
    exclude: terms.filter((term) => term.startsWith('-')).map((term) => term.slice(1)),
  };
}

function plainSearch(search: string): string {
  const text = search.includes('<') ? stripMarkup(search.replace(/<[^<>]*>?/g, escapeLone)) : search;
  const plain = trimText(text.replace(/[\r\n\t ]+/g, ' '));
  return /%[a-f0-9]{2}/i.test(plain) ? trimText(dropEscapes(plain).replace(/ +/g, ' ')) : plain;
}

function escapeLone(piece: string): string {
  return piece.endsWith('>') ? piece : piece.replace('<', '&lt;');
}

function dropEscapes(text: string): string {
  const kept: string[] = [];
  for (const char of text) {
    kept.push(char);
    if (/^%[a-f0-9]{2}$/i.test(kept.slice(-3).join(''))) kept.length -= 3;
  }
  return kept.join('');
}

function trimTerm(term: string): string {
  return trimChars(term, /^".+"$/.test(term) ? '"\'' : '"\' ');
}

function trimChars(text: string, chars: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && chars.includes(text.charAt(start))) start++;
  while (end > start && chars.includes(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

function isWorthwhile(term: string): boolean {
  return term !== '' && term !== '0' && !/^[a-z-]$/i.test(term) && !COMMON.has(term.toLowerCase());
}
