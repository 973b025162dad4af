import { describe, expect, it } from 'vitest';
import { serverBlocks } from '#blocks/server-blocks.ts';
import { makers } from '#site/rendering/makers.ts';

describe('server-rendered blocks', () => {
  it('are exactly the blocks with a maker', () => {
    expect(Object.keys(makers).sort()).toEqual([...serverBlocks].sort());
  });
});
