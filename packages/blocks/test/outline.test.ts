import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Counters } from '../src/counters.ts';
import { BlockOutline, type OutlinedBlock } from '../src/outline.ts';
import { renderContent } from '../src/render.ts';
import { alone } from '../src/surroundings.ts';

function outlined(text: string) {
  const outline = new BlockOutline(text);
  const marked = renderContent(text, { footnotes: '', counters: new Counters(), outline });
  return outline.read(marked);
}

/** Names of blocks with the blocks in them. */
const tree = (blocks: readonly OutlinedBlock[]): unknown[] =>
  blocks.map(({ name, inner }) => (inner.length === 0 ? name : [name, ...tree(inner)]));

const paragraph = (text: string) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`;

describe('the outline of a text', () => {
  it('has its blocks with the blocks in them, and the part of the rendered text that each makes', () => {
    const text = `<!-- wp:group {"layout":{"type":"flex"}} -->\n<div class="wp-block-group">${paragraph('"Oak"')}\n\n<!-- wp:spacer /--></div>\n<!-- /wp:group -->\n\nBetween\n\n${paragraph('Elm')}`;
    const { html, blocks } = outlined(text);
    expect(html).toBe(renderContent(text, alone()));
    expect(tree(blocks)).toEqual([['core/group', 'core/paragraph', 'core/spacer'], null, 'core/paragraph']);
    const [group, between, last] = blocks;
    expect(group?.inner[0]?.rendered).toBe('\n<p class="wp-block-paragraph">&#8220;Oak&#8221;</p>\n');
    expect(group?.inner[0]?.markup).toBe('\n<p>"Oak"</p>\n');
    expect(group?.rendered).toContain('is-layout-flex');
    expect(group?.rendered).toContain('Oak');
    expect(between).toMatchObject({ name: null, rendered: expect.stringContaining('Between') });
    const compact = (text: string) => text.replace(/\s/g, '');
    expect(compact(blocks.map(({ rendered }) => rendered).join(''))).toBe(compact(html));
    expect(last?.rendered).toContain('Elm');
  });

  it('has no hidden block, and blocks that show nothing', () => {
    const hidden = `<!-- wp:group {"metadata":{"blockVisibility":false}} --><div>${paragraph('secret')}</div><!-- /wp:group -->`;
    const { blocks } = outlined(`${hidden}<!-- wp:latest-posts {"postsToShow":2} /-->`);
    expect(tree(blocks)).toEqual(['core/latest-posts']);
    expect(blocks[0]?.rendered).toBe('');
  });

  it('of a text without blocks is the text', () => {
    const { blocks } = outlined('Oak\n\nElm');
    expect(blocks).toMatchObject([{ name: null, rendered: '<p>Oak</p>\n<p>Elm</p>\n' }]);
    expect(outlined('').blocks).toEqual([]);
  });

  it('ends with the text for blocks that are not closed, and has only so many levels', () => {
    expect(tree(outlined('<!-- wp:group -->\n<div>a').blocks)).toEqual(['core/group']);
    const deep = `${'<!-- wp:group --><div>'.repeat(40)}a${'</div><!-- /wp:group -->'.repeat(40)}`;
    let [levels, block] = [0, outlined(deep).blocks[0]];
    for (; block !== undefined; block = block.inner[0]) levels += 1;
    expect(levels).toBe(24);
  });

  const words = fc.constantFrom('a', '"b"', "it's", '[caption]c[/caption]', '<em>d</em>', ':)', '--', '&');
  const leaf = fc.array(words, { maxLength: 4 }).map((list) => paragraph(list.join(' ')));
  const { block } = fc.letrec<{ block: string }>((tie) => ({
    block: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.constant('<!-- wp:spacer /-->'),
      fc
        .tuple(fc.constantFrom('group', 'columns', 'quote', 'list', 'cover'), fc.array(tie('block'), { maxLength: 3 }))
        .map(
          ([name, inner]) =>
            `<!-- wp:${name} {"style":{"spacing":{"blockGap":"1px"}}} -->\n<div>${inner.join('\n')}</div>\n<!-- /wp:${name} -->`,
        ),
    ),
  }));

  it('leaves the rendered text as it is without it', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), (parts) => {
        const text = parts.join('\n\n');
        const { html, blocks } = outlined(text);
        expect(html).toBe(renderContent(text, alone()));
        const within = (list: readonly OutlinedBlock[], whole: string): void => {
          for (const { inner, rendered } of list) {
            expect(whole).toContain(rendered);
            within(inner, rendered);
          }
        };
        within(blocks, html);
      }),
    );
  });
});
