import type { Session } from '../session.ts';
import { forgetBlocks } from './blocks.ts';
import { expectAddress, forgetDeleted } from './cache.ts';
import { noteClock } from './clock.ts';
import { addPages, dropItems } from './menus.ts';
import { completeSteps } from './onboarding.ts';
import { countStore } from './store.ts';
import type { Reaction, Staged } from './types.ts';

/** What follows in one area from events in another: one line each. */
const reactions: readonly Reaction[] = [
  forgetDeleted,
  forgetBlocks,
  expectAddress,
  completeSteps,
  countStore,
  noteClock,
  dropItems,
  addPages,
];

/** What is to be done after events, in order. */
export function reactionsTo(session: Session, staged: Staged): readonly (() => void)[] {
  return reactions.flatMap((reaction) => reaction(session, staged) ?? []);
}
