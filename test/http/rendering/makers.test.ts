import { describe, expect, it } from 'vitest';
import { makers } from '#http/rendering/makers.ts';
import { serverBlocks } from '#text/server-blocks.ts';

describe('server-rendered blocks', () => {
  it('each have a maker, and their texts are rendered for each answer', () => {
    expect(Object.keys(makers).sort()).toEqual([...serverBlocks].sort());
  });
});
