import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutBlockComments } from '../src/as-read.ts';
import { parseBlocks } from '../src/blocks.ts';
import { contains } from '../src/contains.ts';
import { escapeAddress } from '../src/escape-address.ts';
import { teaser } from '../src/excerpt.ts';
import { filterStyle } from '../src/filter-style.ts';
import { renderParsed } from '../src/render-blocks.ts';
import { markLinks, renderComment } from '../src/render-comment.ts';
import { stripMarkup } from '../src/strip.ts';
import { variationClass } from '../src/supports/class-names.ts';
import { alone } from '../src/surroundings.ts';
import { webAddress } from '../src/web-address.ts';

const n = 200_000;

/** Texts for which trying every start, or every split, would take hours. */
describe('texts that try every way', () => {
  it('to nest encoded line ends', () => {
    const nested = `/${'%'.repeat(n)}${'0a'.repeat(n)}x`;
    expect([escapeAddress(nested), webAddress(nested)]).toEqual(['/x', '/x']);
    expect(escapeAddress('/%%0a0dx%0Ay')).toBe('/xy');
  });

  it('to begin an address in a style', () => {
    expect(filterStyle(`background:${'url('.repeat(n)}`)).toBe('');
    expect(filterStyle('background:url(a)')).toBe('background:url(a)');
  });

  it('to begin a variation in a class', () => {
    const classes = (text: string) => new Map([['className', text]]);
    expect(variationClass(classes('is-style-'.repeat(n)))).toBe('');
    expect(variationClass(classes('a is-style-b x-is-style-outline--2 c'))).toBe('is-style-outline--2');
  });

  it('to end a teaser, and a link', () => {
    const teasers = `${'<!--more\n'.repeat(n)}-->`;
    expect(teaser(teasers)).toBe(teasers);
    const links = `${'<a '.repeat(n)}\n>`;
    expect(markLinks(links, 'site.example')).toBe(links);
  });

  it('to find who waits for a tag in nested blocks', () => {
    const text = '<!-- wp:a -->x'.repeat(50_000);
    expect(renderParsed(parseBlocks(text), alone())).toBe('x'.repeat(50_000));
  });

  it('to end a table, a link, a stripped script, and a comment of a block', () => {
    const nested = `www.a <a${' '.repeat(n)}<</a></a>`;
    expect(renderComment(nested, 'site.example')).toContain('www.a');
    expect(stripMarkup(`${'<script'.repeat(n)}>`)).toBe('');
    expect(withoutBlockComments('<!-- wp:1'.repeat(n))).toContain('wp:1');
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
});
