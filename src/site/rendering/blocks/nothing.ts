import type { Make } from '../types.ts';

/** For blocks that only show something on kinds of pages that are not rendered here. */
export const nothingBlock: Make = () => '';
