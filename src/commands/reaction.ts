import type { DomainEvent } from '#domain/kernel/event.ts';

/** Events that are about to be staged. */
export interface Upcoming {
  readonly stream: string;
  readonly events: readonly DomainEvent[];
}

/**
 * Looks at events that are about to be staged, while the session still shows what was before them. Answers what is to
 * be done once it shows them; whatever that stages is part of the same commit. Null: nothing.
 */
export type Reaction<S> = (session: S, upcoming: Upcoming) => (() => void) | null;
