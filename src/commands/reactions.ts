import type { DomainEvent } from '#domain/kernel/event.ts';
import type { Session } from './session.ts';

/**
 * Looks at events that are about to be staged, while the session still shows what was before them. Answers what is to
 * be done once it shows them; whatever that stages is part of the same commit. Null: nothing.
 */
export type Reaction = (session: Session, stream: string, events: readonly DomainEvent[]) => (() => void) | null;

/** What follows in one area from events in another: one line each. */
const reactions: readonly Reaction[] = [];

/** What is to be done after events, in order. */
export function reactionsTo(...staged: Parameters<Reaction>): readonly (() => void)[] {
  return reactions.flatMap((reaction) => reaction(...staged) ?? []);
}
