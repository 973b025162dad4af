import type { DomainEvent } from '#domain/kernel/event.ts';

/** Events that are about to be staged. */
export interface Upcoming {
  readonly stream: string;
  readonly events: readonly DomainEvent[];
}

/**
 * Inspects events that are about to be staged, while the session still shows the state before them. Returns what to do once the session
 * shows them, or null; whatever that stages becomes part of the same commit. Work that may take long is returned as a
 * generator, which is run at the end of the request, with turns for others wherever it yields.
 */
export type Reaction<S> = (session: S, upcoming: Upcoming) => (() => void) | Generator<void> | null;
