import { describe, expect, it } from 'vitest';
import { normaliseBlocks } from '#text/blocks.ts';
import { isDynamic } from '#text/dynamic.ts';
import { filterMarkup } from '#text/filter.ts';
import { foldText, searchTerms } from '#text/fold.ts';
import { renderContent, renderExcerpt, renderTitle, stripMarkup } from '#text/render.ts';
import { slugify } from '#text/slug.ts';
import { alone } from '#text/surroundings.ts';

const SIZE = 1 << 19;
const fill = (text: string): string => text.repeat(Math.floor(SIZE / text.length));
const nest = (start: string, end: string, depth: number): string => start.repeat(depth) + end.repeat(depth);

const server = { block: () => '<p>', shortcode: () => '<b>x</b>', embed: () => '<p>e</p>' };

// Each would take hours if any step scanned the rest of the text again for each part.
const texts: Readonly<Record<string, string>> = {
  'start brackets': fill('<'),
  'double quotes': fill('"'),
  'single quotes': fill("'"),
  'double brackets': fill('[['),
  ampersands: fill('&#x'),
  blanks: `a${fill(' ')}<b>`,
  'line ends': `<b>${fill('\n')}`,
  'numbers with commas': `${fill('1,')}1x1`,
  'openers of comments': fill('<!--'),
  'ends of comments': fill('--->'),
  'comments that end with three dashes': fill('<!--x--->'),
  'items on one line': fill('<p><lix</p>'),
  'openers of blocks': fill('<!-- wp:a -->'),
  'openers of blocks with attributes': fill('<!-- wp:a {"b":1} -->'),
  'beginnings of blocks': fill('<!-- wp:'),
  'beginnings of attributes': fill('<!-- wp:a {'),
  'ends of blocks': fill('<!-- /wp:a -->'),
  'nested groups': nest('<!-- wp:group --><div class="wp-block-group">', '</div><!-- /wp:group -->', 15_000),
  'nested groups without elements': nest('<!-- wp:columns -->', '<!-- /wp:columns -->', 25_000),
  'nested groups with colours of links': nest(
    '<!-- wp:group {"style":{"elements":{"link":{"color":{"text":"#000"}}}}} -->',
    '<!-- /wp:group -->',
    10_000,
  ),
  'nested items of an accordion': nest(
    '<!-- wp:accordion-item --><div class="wp-block-accordion-item">',
    '</div><!-- /wp:accordion-item -->',
    10_000,
  ),
  'images in details': `<!-- wp:details --><details>${fill('<img src="a">')}</details><!-- /wp:details -->`,
  'nested details with images': nest('<!-- wp:details --><img src="a">', '<!-- /wp:details -->', 15_000),
  'nested elements': nest('<div>', '</div>', 100_000),
  'nested lists in attributes': `<!-- wp:a {"b":${nest('[', ']', 300_000)}} /-->`,
  'beginnings of words': fill('[gallery '),
  'words that never end': fill('[caption]'),
  'escaped words': fill('[[gallery]]'),
  'words in paragraphs': fill('<p>[gallery]'),
  'words in attributes': fill('<a b="[gallery]">'),
  'words with tags in them': fill('[gallery <a'),
  'a word with all that follows in it': `[gallery ${fill('a')}`,
  'a caption of tags that never end': `[caption width="9"]${fill('<a ')}[/caption]`,
  'attributes of a word': `[gallery ${fill('a="b" ')}]`,
  'quotes in a word': `[gallery ${fill('"a')}]`,
  'lines of addresses': fill('\nhttp://a'),
  'lines of addresses in a comment': `<!--${fill('\nhttp://a')}`,
  'blank lines before an address': `${fill('\n')}http://a`,
  'marks for excerpts': fill('<!--more'),
  'blocks before a mark for excerpts': `${fill('<!-- wp:more ')}<!--more-->`,
  'blocks in a group': `<!-- wp:group -->${fill('<!-- wp:a /-->')}<!-- /wp:group -->`,
  'scripts that never end': fill('<script>'),
  'items in paragraphs': fill('<x <p><lix '),
  'block elements that never end': fill('<div'),
  'objects that never end': `</object>${fill('<object')}`,
  'options after blanks': `<option${fill(' ')}x`,
  'attributes of one tag': `<a ${fill('x="y" ')}>`,
  'functions in a style': `<p style="width:${fill('var(')}">`,
  'addresses in a style': `<p style="background:${fill('url(a)')}">`,
  'colours in a gradient': `<p style="background:linear-gradient(${fill('rgb(1)')}">`,
  'schemes of an address': `<a href="${fill('feed:')}">`,
  'percent signs': fill('%4') + fill('1'),
  'accents on a letter': `e${fill('\u0301')}`,
};

describe('a hostile text of half a mebibyte is processed in reasonable time', () => {
  it.each(Object.entries(texts))('%s', (_, text) => {
    expect(typeof renderContent(text)).toBe('string');
    expect(typeof isDynamic(text)).toBe('boolean');
    expect(typeof renderContent(text, { ...alone(), server })).toBe('string');
    expect(typeof renderExcerpt('', text)).toBe('string');
    expect(typeof renderTitle(text)).toBe('string');
    expect(typeof stripMarkup(text)).toBe('string');
    expect(filterMarkup(text)).not.toContain('<script');
    expect(slugify(text).length).toBeLessThanOrEqual(200);
    expect(searchTerms(foldText(text)).include.length).toBeLessThanOrEqual(9);
  });

  it('unclosed blocks are closed at the end', () => {
    const text = normaliseBlocks(fill('<!-- wp:a -->'));
    expect(text.match(/<!-- \/wp:a -->/g)?.length).toBe(text.match(/<!-- wp:a -->/g)?.length ?? -1);
  });
});
