import { describe, expect, it } from 'vitest';
import { isLogin } from '#domain/user/naming.ts';
import { validate } from '#http/engine/validate.ts';
import { feedItems } from '#text/feed-items.ts';
import { foldText } from '#text/fold.ts';
import { languageOfMarkup } from '#text/language.ts';
import { relinked, relinkedPaths, withoutForms } from '#text/relink.ts';
import { siteSheet } from '#text/site-sheet.ts';
import { slugify } from '#text/slug.ts';

const n = 200_000;

/** Texts for which trying every start, or every split, would take hours. */
describe('texts that try every way', () => {
  it('to split comments before the first element', () => {
    const comments = '<!--a-->'.repeat(n);
    expect(languageOfMarkup(`${comments}<p lang="de">`)).toBeNull();
    expect(languageOfMarkup(`${comments}\n<div lang="de">`)?.lang).toBe('de');
  });

  it('to begin a name that has blanks alone', () => {
    const fault = validate(' '.repeat(n), { type: 'string', pattern: '.*\\S.*' }, 'name');
    expect(fault?.code).toBe('rest_invalid_pattern');
    expect(validate('  a ', { type: 'string', pattern: '.*\\S.*' }, 'name')).toBeNull();
  });

  it('to begin a tag or a reference in a login', () => {
    for (const text of ['<'.repeat(n), '&'.repeat(n), `${'&'.repeat(n)}\n;`]) expect(isLogin(text)).toBe(false);
    expect(isLogin('ada')).toBe(true);
  });

  it('to begin an address or a tag in a page', () => {
    for (const page of ['url('.repeat(n), `url(${' '.repeat(n)}`]) expect(relinked(page, () => 'x')).toBe(page);
    for (const page of ['<a '.repeat(n), '<a "'.repeat(n), `<a "'`.repeat(n), `<a${' href='.repeat(n)}`]) {
      expect(relinkedPaths(page, () => 'x')).toBe(page);
    }
  });

  it('to end a comment of a style', () => {
    const css = '/* '.repeat(30_000);
    expect(siteSheet({ styles: { css } })).toBe(css.trim());
  });

  it('to end a form', () => {
    expect(withoutForms('<form '.repeat(n))).toBe('<form '.repeat(n));
    expect(withoutForms('a<form >b</form>c')).toBe('ac');
  });

  it('to sort marks', () => {
    const marks = '\u0315'.repeat(n) + '\u0327'.repeat(n);
    expect(foldText(`a${marks}`)).toBe('a');
    expect(slugify(`a${marks}`).length).toBeLessThan(300);
    expect(isLogin(marks)).toBe(false);
  });

  it('to nest elements in a feed', () => {
    const feed = (depth: number) => `<rss><item><title>${'<b>'.repeat(depth)}Deep</title></item></rss>`;
    expect(JSON.parse(feedItems(feed(500)))).toMatchObject([{ title: 'Deep' }]);
    expect(feedItems(feed(n))).toBe('[]');
  });
});
