import { describe, expect, it } from 'vitest';
import { queryBlocksIn } from '../src/query-blocks.ts';

const block = (attributes: string, template = 'T', name = 'cms:builder/posts') =>
  `<!-- ${name} ${attributes} -->${template}<!-- /${name} -->`;

describe('blocks that list posts', () => {
  it('are found with their attributes and template, under any builder namespace', () => {
    const content = `a${block('{"bldQueryId":"x","type":"page"}')}b${block('{"bldQueryId":"y"}', '<i>}</i>', 'wp:own-builder/posts')}`;
    expect(queryBlocksIn(content)).toEqual([
      { id: 'x', attributes: { bldQueryId: 'x', type: 'page' }, template: 'T' },
      { id: 'y', attributes: { bldQueryId: 'y' }, template: '<i>}</i>' },
    ]);
  });

  it.each([
    ['without an id', block('{"a":1,"b":"bldQueryId"}')],
    ['with an id that is no text', block('{"bldQueryId":7}')],
    ['with attributes that are no JSON', block('{bldQueryId:"x"}')],
    ['that are never closed', '<!-- cms:builder/posts {"bldQueryId":"x"} -->T'],
    ['of another kind', block('{"bldQueryId":"x"}', 'T', 'cms:builder/text')],
  ])('%s are ignored', (_, content) => {
    expect(queryBlocksIn(content)).toEqual([]);
  });

  it('count once per id, and 100 at most', () => {
    expect(queryBlocksIn(block('{"bldQueryId":"x"}', '1') + block('{"bldQueryId":"x"}', '2'))).toMatchObject([
      { template: '1' },
    ]);
    const many = Array.from({ length: 300 }, (_, n) => block(`{"bldQueryId":"${n}"}`)).join('');
    expect(queryBlocksIn(many)).toHaveLength(100);
  });
});
