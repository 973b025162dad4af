import { describe, expect, it } from 'vitest';
import { foldText, searchTerms } from '#text/fold.ts';
import { slugify } from '#text/slug.ts';
import { hostileTexts } from '../../packages/blocks/test/hostile-texts.ts';

describe('a hostile text of half a mebibyte is folded in reasonable time', () => {
  it.each(Object.entries(hostileTexts))('%s', (_, text) => {
    expect(slugify(text).length).toBeLessThanOrEqual(200);
    expect(searchTerms(foldText(text)).include.length).toBeLessThanOrEqual(9);
  });
});
