import { describe, expect, it } from 'vitest';
import { languageOfMarkup, languageOfText } from '#text/language.ts';

describe('the language of a text', () => {
  it.each([
    ['مرحبا بالعالم', 'ar', 'rtl'],
    ['سلام دنیا، چطورید', 'fa', 'rtl'],
    ['یہ اردو ہے ڈاکٹر', 'ur', 'rtl'],
    ['שלום עולם in it', 'he', 'rtl'],
    ['日本語の文章', 'ja', 'ltr'],
    ['中文文章', 'zh', 'ltr'],
    ['Καλημέρα', 'el', 'ltr'],
    ['Grüße', null, 'ltr'],
    ['Привет', null, 'ltr'],
    ['Mostly Latin letters, and שלום', null, 'ltr'],
  ])('%s: %s, %s', (text, lang, dir) => {
    expect(languageOfText(text)).toEqual({ lang, dir });
  });

  it('is derived from supplementary characters too, and from the first 2,000 letters of a long text', () => {
    expect(languageOfText('𞤀𞤣𞤤𞤢𞤥 and')).toEqual({ lang: 'ff', dir: 'rtl' });
    expect(languageOfText(`${'a '.repeat(1000)}${'ש'.repeat(999)}${'א'.repeat(5000)}`)).toEqual({
      lang: null,
      dir: 'ltr',
    });
    expect(languageOfText(`${'a '.repeat(999)}${'ש'.repeat(1001)}`)).toEqual({ lang: 'he', dir: 'rtl' });
  });

  it('is null without letters', () => {
    expect(languageOfText('12:30 – 👋')).toBeNull();
  });
});

describe('the language named by an element around the content', () => {
  it('is used, with its own or the named direction', () => {
    expect(languageOfMarkup('<!-- c --> <div class="x" lang="fa">a</div>')).toEqual({ lang: 'fa', dir: 'rtl' });
    expect(languageOfMarkup('<section lang="de-AT">a</section>')).toEqual({ lang: 'de-AT', dir: 'ltr' });
    expect(languageOfMarkup('<div dir="rtl">a</div>')).toEqual({ lang: null, dir: 'rtl' });
    expect(languageOfMarkup('<p lang="de">a</p>')).toBeNull();
    expect(languageOfMarkup('<div lang="&quot;x">a</div>')).toBeNull();
  });
});
