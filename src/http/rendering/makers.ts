import { postTitle } from './blocks/post-title.ts';
import type { Make } from './types.ts';

/**
 * What makes the blocks that the server makes, by their names. A new one: a file in `blocks`, a row here, and its name
 * in `serverBlocks` (src/text/server-blocks.ts), so that texts with it are rendered each time they are shown. What it
 * tells the blocks in it is a row of `told` there.
 */
export const makers: Readonly<Record<string, Make>> = {
  'core/post-title': postTitle,
};
