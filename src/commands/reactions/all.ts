import { forgetBlocks } from './blocks.ts';
import { expectAddress, forgetDeleted } from './cache.ts';
import { noteClock } from './clock.ts';
import { addPagesToMenus, beginNavigation, dropItems } from './menus.ts';
import { completeSteps } from './onboarding.ts';
import { countStore } from './store.ts';
import type { AnyReaction } from './types.ts';

/** What follows in one area from events in another. */
export const reactions: readonly AnyReaction[] = [
  forgetDeleted,
  forgetBlocks,
  expectAddress,
  completeSteps,
  countStore,
  noteClock,
  dropItems,
  addPagesToMenus,
  beginNavigation,
];
