import { trimText } from './blank.ts';
import { stripMarkup } from './strip.ts';

export interface SearchTerms {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

const MAX_TERMS = 9;

const COMMON = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(
    ' ',
  ),
);

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
