import { describe, expect, it } from 'vitest';
import { makers } from '#site/rendering/makers.ts';
import { serverBlocks } from '#text/server-blocks.ts';

describe('server-rendered blocks', () => {
  it('are exactly the blocks with a maker', () => {
    expect(Object.keys(makers).sort()).toEqual([...serverBlocks].sort());
  });
});
