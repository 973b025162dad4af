import { describe, expect, it } from 'vitest';
import { normaliseBlocks } from '../src/blocks.ts';
import { isDynamic } from '../src/dynamic.ts';
import { filterMarkup } from '../src/filter.ts';
import { renderContent, renderExcerpt, renderTitle, stripMarkup } from '../src/render.ts';
import { alone } from '../src/surroundings.ts';
import { fill, hostileTexts } from './hostile-texts.ts';

const server = { block: () => '<p>', shortcode: () => '<b>x</b>', embed: () => '<p>e</p>' };

describe('a hostile text of half a mebibyte is processed in reasonable time', () => {
  it.each(Object.entries(hostileTexts))('%s', (_, text) => {
    expect(typeof renderContent(text)).toBe('string');
    expect(typeof isDynamic(text)).toBe('boolean');
    expect(typeof renderContent(text, { ...alone(), server })).toBe('string');
    expect(typeof renderExcerpt('', text)).toBe('string');
    expect(typeof renderTitle(text)).toBe('string');
    expect(typeof stripMarkup(text)).toBe('string');
    expect(filterMarkup(text)).not.toContain('<script');
  });

  it('unclosed blocks are closed at the end', () => {
    const text = normaliseBlocks(fill('<!-- wp:a -->'));
    expect(text.match(/<!-- \/wp:a -->/g)?.length).toBe(text.match(/<!-- wp:a -->/g)?.length ?? -1);
  });
});
