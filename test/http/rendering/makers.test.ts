import { describe, expect, it } from 'vitest';
import { makers } from '#http/rendering/makers.ts';
import { serverBlocks } from '#text/server-blocks.ts';

describe('blocks that the server makes', () => {
  it('have a maker each, and texts with them are known to be rendered each time', () => {
    expect(Object.keys(makers).sort()).toEqual([...serverBlocks].sort());
  });
});
