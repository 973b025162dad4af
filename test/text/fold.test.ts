import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldText, searchTerms } from '#text/fold.ts';
import { testRows, unchanged } from '../../packages/blocks/test/rows.ts';

describe('folding', () => {
  testRows(
    [
      { name: 'ignores case', input: 'AbC', output: 'abc' },
      { name: 'ignores accents', input: 'ÀÉîõÜçŃ', output: 'aeioucn' },
      { name: 'ignores accents written on their own', input: 'e\u0301u\u0308', output: 'eu' },
      { name: 'takes ligatures and barred letters for plain ones', input: 'Æœßøłđþ', output: 'aeoessoldth' },
      { name: 'ignores the accents of Greek', input: 'Άλφα', output: 'αλφα' },
      { name: 'takes digits of any form for plain ones', input: 'x² ① ٣ ９ 𝟗', output: 'x2 1 3 9 9' },
      { name: 'takes letters of any form for plain ones', input: 'ﬁ ™ Ｆull 𝐀', output: 'fi tm full a' },
      { name: 'takes katakana, also of half width, for hiragana', input: 'ア ﾂ ｶﾞ ガ', output: 'あ つ が が' },
      { name: 'keeps Cyrillic letters apart', input: 'ЙиЁе', output: 'йиее' },
    ],
    foldText,
  );
  testRows(
    unchanged({ 'keeps other scripts': '日本 かが 한국 ㄱㅏ 👋', 'keeps marks and digits': '1-2 "x" %_' }),
    foldText,
  );

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
    );
  });
});

describe('folding a whole text', () => {
  const forms = /[[\p{L}\p{N}\p{So}]--\p{Script_Extensions=Hangul}]/gv;
  const base = (text: string) =>
    text
      .replace(forms, (form) => form.normalize('NFKD'))
      .toLowerCase()
      .normalize('NFD')
      .replace(/[ァ-ヶヽヾ]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60));
  /** Without the letters that have no decomposition. */
  const define = (text: string) =>
    base(text)
      .replace(/(?<![\u0400-\u04ff])[\u0300-\u036f]+/g, '')
      .normalize('NFC');
  const others = /[ßæœøłđðħıŧþŋĸё[\p{Nd}--[0-9]]]/v;
  const beside = [
    '',
    'e',
    'Й',
    'Σ',
    '\u0301',
    '\u3099',
    '\uac00',
    '\u11a8',
    '\ufe0f',
    '👋🏽',
    '\ud83d',
    '𐐀',
    '日',
    'ガ',
    'ｶ',
    'ﾞ',
    '½',
  ];
  const unit = fc.oneof(
    fc.constantFrom(...beside),
    fc.nat(0xffff).map((code) => String.fromCharCode(code)),
  );

  it('follows the Unicode definition for any neighbouring characters', () => {
    const check = (text: string) => {
      if (!others.test(define(text))) expect(foldText(text)).toBe(define(text));
    };
    fc.assert(
      fc.property(fc.array(unit), (units) => check(units.join(''))),
      { numRuns: 1000 },
    );
    for (let code = 0; code < 0x1_0000; code++) check(`É${String.fromCharCode(code)}и`);
  });

  it('handles texts of any length, and letters that become two', () => {
    const word = 'Größe Ær ';
    for (const count of [3600, 3641, 8000]) {
      expect(foldText(word.repeat(count))).toBe('grosse aer '.repeat(count));
      expect(foldText(`${word.repeat(count)}Σ`)).toBe(`${'grosse aer '.repeat(count)}σ`);
      expect(foldText(`日${word.repeat(count)}`)).toBe(`日${'grosse aer '.repeat(count)}`);
    }
  });
});

describe('a search', () => {
  it.each([
    ['one word', 'apple', ['apple'], []],
    ['several words', 'apple pie', ['apple', 'pie'], []],
    ['blanks, commas and plus signs between', 'a1, b2+c3  d4\te5', ['a1', 'b2', 'c3', 'd4', 'e5'], []],
    ['a phrase', '"apple pie" cake', ['apple pie', 'cake'], []],
    ['a phrase that is not closed', 'cake "apple pie', ['cake', 'apple pie'], []],
    ['blanks inside quotation marks', '" apple "', [' apple '], []],
    ['a word that must not occur', 'apple -pie', ['apple'], ['pie']],
    ['a phrase that must not occur', 'apple "-pie cake"', ['apple'], ['pie cake']],
    ['common words and single letters', 'the apple of a pie', ['apple', 'pie'], []],
    ['single digits', 'apple 7', ['apple', '7'], []],
    ['letters of other scripts', 'é 日', ['é', '日'], []],
    ['nothing but common words', 'what is the', ['what is the'], []],
    ['nine words', '1a 2a 3a 4a 5a 6a 7a 8a 9a', ['1a', '2a', '3a', '4a', '5a', '6a', '7a', '8a', '9a'], []],
    ['ten words', '1a 2a 3a 4a 5a 6a 7a 8a 9a 0a', ['1a 2a 3a 4a 5a 6a 7a 8a 9a 0a'], []],
    ['markup', '<b>apple</b> <i>pie</i>', ['apple', 'pie'], []],
    ['percent signs and low lines', '50% a_b', ['50%', 'a_b'], []],
    ['percent escapes', 'ap%20ple', ['apple'], []],
    ['nothing', '', [], []],
    ['nothing but blanks', '  ', [], []],
  ])('for %s', (_, search, include, exclude) => {
    expect(searchTerms(search)).toEqual({ include, exclude });
  });
});
