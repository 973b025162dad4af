export { searchTerms } from './search-terms.ts';

const ASCII = /^[\0-\x7f]*$/;

// Marks on Cyrillic letters make other letters of them, those on Latin and Greek ones only accented ones.
const MARKS = /(?<![\u0400-\u04ff])[\u0300-\u036f]+/g;

const OTHERS = /[ßæœøłđðħıŧþŋĸё]/;
const EACH_OTHER = /[ßæœøłđðħıŧþŋĸё]/g;

// Letters that have no decomposition, but count as these all the same.
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

/** A text in lower case and without accents, so that `Ä` equals `a`: for searching and for putting in order. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII.test(lower)) return lower;
  const bare = lower.normalize('NFD').replace(MARKS, '').normalize('NFC');
  return OTHERS.test(bare) ? bare.replace(EACH_OTHER, (letter) => PLAIN[letter] ?? letter) : bare;
}
