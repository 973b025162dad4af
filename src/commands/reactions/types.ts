import type { DomainEvent } from '#domain/kernel/event.ts';
import type { Session } from '../session.ts';

/** Events that are about to be staged. */
export interface Staged {
  readonly stream: string;
  readonly events: readonly DomainEvent[];
}

/**
 * Looks at events that are about to be staged, while the session still shows what was before them. Answers what is to
 * be done once it shows them; whatever that stages is part of the same commit. Null: nothing.
 */
export type Reaction = (session: Session, staged: Staged) => (() => void) | null;
