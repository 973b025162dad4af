import type { Make } from '../types.ts';

/** For blocks that only show something on pages of a kind that is not asked for here. */
export const nothing: Make = () => '';
