import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freeNumberedSlug, isReservedSlug, numberSlug, slugify, slugLimit, suffixSlug } from '#text/slug.ts';

const percent = (text: string): string => encodeURIComponent(text).toLowerCase();

describe('a slug', () => {
  it.each([
    ['has lower-case letters and dashes', 'Simple Words HERE', 'simple-words-here'],
    ['has single dashes', '  a   b - c -- d ', 'a-b-c-d'],
    ['has no dashes at its ends', '--a b--', 'a-b'],
    ['has dashes for full stops and slashes', 'a.b/c', 'a-b-c'],
    ['has dashes for longer dashes', 'a–b—c', 'a-b-c'],
    ['has dashes for Unicode spaces', 'a\u00a0b\u2003c\u202fd', 'a-b-c-d'],
    ['keeps digits and underscores', 'under_score 100', 'under_score-100'],
    [
      'has no punctuation',
      `it's & "that", (this)! a+b=c #1 @home 100% $5 ~^|\\[]{}*?:`,
      'its-that-this-abc-1-home-100-5',
    ],
    ['has no quotation marks of other kinds', '“a” ‘b’ «c» ‹d› „e‚', 'a-b-c-d-e'],
    ['has no symbols', 'a… b™ c© d® e° f• g¡ h¿ i£ j´', 'a-b-c-d-e-f-g-h-i-j'],
    ['has no tabs and line ends', 'a\tb\nc\rd', 'abcd'],
    ['has no zero-width characters', 'a\u00adb\u200bc\u200dd\ufeffe\u202af', 'abcdef'],
    ['has dashes for non-breaking hyphens', 'a\u2011b', 'a-b'],
    ['has no markup', '<em class="x">Marked</em> up<br/>', 'marked-up'],
    ['has no character references', 'a &amp; b &eacute; c &#8217; d', 'a-b-c-d'],
    ['treats everything from an ampersand to a semicolon as a reference', 'a & b c; d', 'a-d'],
    ['has dashes for references to spaces and dashes', 'a&nbsp;b&ndash;c&#8212;d', 'a-b-c-d'],
    ['ends at an unclosed tag', 'a <b', 'a'],
    ['keeps text after a bracket and a space', 'a < b', 'a-b'],
  ])('%s', (_, text, slug) => {
    expect(slugify(text)).toBe(slug);
  });

  it.each([
    ['accents', 'Ünïcödé çhårs Ñandú', 'unicode-chars-nandu'],
    ['combining accents', 'e\u0301u\u0308', 'eu'],
    ['ligatures and special letters', 'ßtraße Æon œuvre Þór ðæ', 'strase-aeon-oeuvre-thor-dae'],
    ['barred letters', 'Łódź Đorđe Øre ħ ŧ', 'lodz-dorde-ore-h-t'],
    ['letters with two diacritics', 'Tiếng Việt ǜ ǚ', 'tieng-viet-u-u'],
    ['dotted and dotless letters', 'İstanbul ısı', 'istanbul-isi'],
    ['turned letters', 'Əǝ', 'ee'],
    ['ordinal indicators', '1ª 2º', '1a-2o'],
    ['the euro sign', '5 €', '5-e'],
    ['the multiplication sign', '3×4', '3x4'],
  ])('has plain letters for %s', (_, text, slug) => {
    expect(slugify(text)).toBe(slug);
  });

  it.each([
    ['other scripts', 'Кириллица', percent('кириллица')],
    ['ideographs', '日本 語', `${percent('日本')}-${percent('語')}`],
    ['emoji', 'a 👋 b', `a-${percent('👋')}-b`],
    [
      'currency signs, fractions and numerals',
      '¥ ½ Ⅷ x²',
      `${percent('¥')}-${percent('½')}-${percent('ⅷ')}-x${percent('²')}`,
    ],
    ['compatibility characters', 'ﬁ Ａ', `${percent('ﬁ')}-${percent('ａ')}`],
  ])('has percent escapes for %s', (_, text, slug) => {
    expect(slugify(text)).toBe(slug);
  });

  it.each([
    ['keeps percent escapes', '%D0%BA%41x', '%d0%ba%41x'],
    ['has no other percent signs', '50% %zz %4', '50-zz-4'],
    ['treats escapes like the characters they encode', 'a%C2%A0b%E2%80%99c%C3%97d', 'a-bcxd'],
    ['leaves an existing slug unchanged', 'a-b_c-%d0%ba', 'a-b_c-%d0%ba'],
    ['can be empty', '!!! … —', ''],
    ['is empty for an empty text', '', ''],
    ['can be digits', '1987', '1987'],
    ['replaces a lone surrogate by U+FFFD', 'a\ud83db', `a${percent('\ufffd')}b`],
  ])('%s', (_, text, slug) => {
    expect(slugify(text)).toBe(slug);
  });

  it('is cut at the length limit', () => {
    expect(slugify('a'.repeat(300))).toBe('a'.repeat(slugLimit));
    expect(slugify(`${'a'.repeat(199)} b`)).toBe('a'.repeat(199));
  });

  it('is cut between characters', () => {
    expect(slugify('ж'.repeat(60))).toBe(percent('ж').repeat(33));
    expect(slugify(`${'a'.repeat(195)}ж`)).toBe('a'.repeat(195));
    expect(slugify(`${'a'.repeat(198)}%41`)).toBe('a'.repeat(198));
  });
});

describe('a numbered slug', () => {
  it('ends with the number', () => {
    expect(numberSlug('name', 2)).toBe('name-2');
    expect(suffixSlug('name', '__x')).toBe('name__x');
  });

  it('fits the limit with its number', () => {
    expect(numberSlug('a'.repeat(200), 12)).toBe(`${'a'.repeat(197)}-12`);
    expect(suffixSlug('a'.repeat(200), '__trashed')).toBe(`${'a'.repeat(191)}__trashed`);
  });

  it('is cut between characters', () => {
    expect(numberSlug(percent('ж').repeat(33), 2)).toBe(`${percent('ж').repeat(33)}-2`);
    expect(numberSlug(`aa${percent('ж').repeat(33)}`, 2)).toBe(`aa${percent('ж').repeat(32)}-2`);
    expect(numberSlug(`${percent('👋').repeat(16)}abcdefgh`, 1000)).toBe(`${percent('👋').repeat(16)}abc-1000`);
  });

  it('has no second dash before the number', () => {
    expect(numberSlug(`${'a'.repeat(197)}-bc`, 2)).toBe(`${'a'.repeat(197)}-2`);
  });
});

describe('a free numbered slug', () => {
  const taken = fc.array(
    fc.oneof(fc.integer({ min: 2, max: 30 }).map(String), fc.constantFrom('07', '1e1', '3-2', '5b')),
  );

  it('has the first number that is not taken, among names of any form, and however long it is', () => {
    fc.assert(
      fc.property(fc.constantFrom('name', 'a'.repeat(200), `${'a'.repeat(196)}-bcd`), taken, (base, endings) => {
        const slugs = new Set(endings.flatMap((ending) => [`${base}-${ending}`, numberSlug(base, Number(ending))]));
        for (let n = 2; n < 12; n++) slugs.add(numberSlug(base, n));
        for (const ending of endings.slice(0, 2)) slugs.delete(numberSlug(base, Number(ending)));
        let asked = 0;
        const isTaken = (slug: string) => {
          asked += 1;
          return slugs.has(slug);
        };
        const after = (stem: string) =>
          [...slugs].filter((slug) => slug.startsWith(`${stem}-`)).map((slug) => slug.slice(stem.length + 1));
        let free = 2;
        while (slugs.has(numberSlug(base, free))) free += 1;
        expect(freeNumberedSlug({ base, isTaken, endings: after })).toBe(numberSlug(base, free));
        expect(asked).toBeLessThan(8);
        expect(freeNumberedSlug({ base, isTaken })).toBe(numberSlug(base, free));
      }),
    );
  });
});

describe('whether a slug is reserved', () => {
  it.each([
    ['post', 'feed', true],
    ['page', 'embed', true],
    ['post', '1987', true],
    ['page', '1987', true],
    ['page', 'page7', true],
    ['post', 'page7', false],
    ['post', '0', false],
    ['post', 'feeds', false],
    ['post', '19a', false],
    ['page', 'page', false],
    ['page', 'page7b', false],
  ] as const)('for a %s: %s is %s', (kind, slug, reserved) => {
    expect(isReservedSlug(kind, slug)).toBe(reserved);
  });
});
