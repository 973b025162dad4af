import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLogin } from '#domain/user/naming.ts';
import { validate } from '#http/engine/validate.ts';
import { withoutBlockComments } from '#text/as-read.ts';
import { parseBlocks } from '#text/blocks.ts';
import { contains } from '#text/contains.ts';
import { escapeAddress } from '#text/escape-address.ts';
import { teaser } from '#text/excerpt.ts';
import { feedItems } from '#text/feed-items.ts';
import { filterStyle } from '#text/filter-style.ts';
import { foldText } from '#text/fold.ts';
import { languageOfMarkup } from '#text/language.ts';
import { relinked, relinkedPaths, withoutForms } from '#text/relink.ts';
import { renderParsed } from '#text/render-blocks.ts';
import { markLinks, renderComment } from '#text/render-comment.ts';
import { siteSheet } from '#text/site-sheet.ts';
import { slugify } from '#text/slug.ts';
import { stripMarkup } from '#text/strip.ts';
import { variationClass } from '#text/supports/class-names.ts';
import { alone } from '#text/surroundings.ts';
import { webAddress } from '#text/web-address.ts';

const n = 200_000;

/** Texts for which trying every start, or every split, would take hours. */
describe('texts that try every way', () => {
  it('to split comments before the first element', () => {
    const comments = '<!--a-->'.repeat(n);
    expect(languageOfMarkup(`${comments}<p lang="de">`)).toBeNull();
    expect(languageOfMarkup(`${comments}\n<div lang="de">`)?.lang).toBe('de');
  });

  it('to nest encoded line ends', () => {
    const nested = `/${'%'.repeat(n)}${'0a'.repeat(n)}x`;
    expect([escapeAddress(nested), webAddress(nested)]).toEqual(['/x', '/x']);
    expect(escapeAddress('/%%0a0dx%0Ay')).toBe('/xy');
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

  it('to begin an address in a style', () => {
    expect(filterStyle(`background:${'url('.repeat(n)}`)).toBe('');
    expect(filterStyle('background:url(a)')).toBe('background:url(a)');
  });

  it('to begin an address or a tag in a page', () => {
    for (const page of ['url('.repeat(n), `url(${' '.repeat(n)}`]) expect(relinked(page, () => 'x')).toBe(page);
    for (const page of ['<a '.repeat(n), '<a "'.repeat(n), `<a "'`.repeat(n), `<a${' href='.repeat(n)}`]) {
      expect(relinkedPaths(page, () => 'x')).toBe(page);
    }
  });

  it('to begin a variation in a class', () => {
    const classes = (text: string) => new Map([['className', text]]);
    expect(variationClass(classes('is-style-'.repeat(n)))).toBe('');
    expect(variationClass(classes('a is-style-b x-is-style-outline--2 c'))).toBe('is-style-outline--2');
  });

  it('to end a teaser, a comment of a style, and a link', () => {
    const teasers = `${'<!--more\n'.repeat(n)}-->`;
    expect(teaser(teasers)).toBe(teasers);
    const css = '/* '.repeat(30_000);
    expect(siteSheet({ styles: { css } })).toBe(css.trim());
    const links = `${'<a '.repeat(n)}\n>`;
    expect(markLinks(links, 'site.example')).toBe(links);
  });

  it('to find who waits for a tag in nested blocks', () => {
    const text = '<!-- wp:a -->x'.repeat(50_000);
    expect(renderParsed(parseBlocks(text), alone())).toBe('x'.repeat(50_000));
  });

  it('to end a table, a link, a stripped script, and a form', () => {
    const nested = `www.a <a${' '.repeat(n)}<</a></a>`;
    expect(renderComment(nested, 'site.example')).toContain('www.a');
    expect(stripMarkup(`${'<script'.repeat(n)}>`)).toBe('');
    expect(withoutForms('<form '.repeat(n))).toBe('<form '.repeat(n));
    expect(withoutForms('a<form >b</form>c')).toBe('ac');
    expect(withoutBlockComments('<!-- wp:1'.repeat(n))).toContain('wp:1');
  });

  it('to sort marks', () => {
    const marks = '\u0315'.repeat(n) + '\u0327'.repeat(n);
    expect(foldText(`a${marks}`)).toBe('a');
    expect(slugify(`a${marks}`).length).toBeLessThan(300);
    expect(isLogin(marks)).toBe(false);
  });

  it('to find a long term', () => {
    const term = `aaab${'a'.repeat(1500)}`;
    expect(contains('a'.repeat(1_000_000), term)).toBe(false);
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 900 }), fc.nat(600), (text, from) => {
        const part = text.slice(from, from + 300);
        expect([contains(text, part), contains(text, `${part}a`)]).toEqual([true, text.includes(`${part}a`)]);
      }),
    );
  });

  it('to be a number', () => {
    const style = {
      typography: { fontSize: `${'1'.repeat(n)}x` },
      background: { backgroundImage: { url: "'".repeat(n) } },
    };
    const text = `<!-- wp:group ${JSON.stringify({ style })} --><div class="wp-block-group"></div><!-- /wp:group -->`;
    expect(renderParsed(parseBlocks(text), alone())).toContain('wp-block-group');
    expect(filterStyle('\\'.repeat(n))).toBe('');
  });

  it('to nest elements in a feed', () => {
    const feed = (depth: number) => `<rss><item><title>${'<b>'.repeat(depth)}Deep</title></item></rss>`;
    expect(JSON.parse(feedItems(feed(500)))).toMatchObject([{ title: 'Deep' }]);
    expect(feedItems(feed(n))).toBe('[]');
  });
});
