import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { after } from '#process/guard.ts';

export interface Recency {
  readonly position: () => number;
  /** Position of the last acknowledged write of this node: answers never show less. */
  readonly owed: () => number;
  /** Told of each request that reads; questions about health are none. */
  readonly asked: () => void;
  /** Calls back when there is more of the log to be shown; answers how to stop that. */
  readonly changed: (listener: () => void) => () => void;
  /** Milliseconds since it was last known to be the newest; 0 while that is a moment ago. */
  readonly ageMs: () => number;
  /** Milliseconds that a request waits at most for the position that it names. */
  readonly wait: number;
}

const WHOLE = /^\d{1,15}$/;
const INVALID = refuse('rest_invalid_position', 'The position that the request names must be a whole number.');
export const BEHIND = refuse(
  'rest_position_not_reached',
  'A change that is stored already cannot be shown yet. Please try again later.',
);

/**
 * Waits until answers show the position that a request names in a header, and what this node has acknowledged; so a
 * client never reads what was before its own write. Null at once where both are shown. `named`: the header's value.
 */
export function untilShown(
  named: string | string[] | undefined,
  recency: Recency,
): Promise<Refusal | null> | Refusal | null {
  if (named !== undefined && (typeof named !== 'string' || !WHOLE.test(named))) return INVALID;
  const wanted = Math.max(Number(named ?? 0), recency.owed());
  return recency.position() >= wanted ? null : reached(wanted, recency);
}

/** What an answer says of its age, in whole seconds; nothing while it is the newest. */
export function ageHeaders({ ageMs }: Recency, prefix: string): readonly string[] {
  const age = ageMs();
  return age === 0 ? [] : [`${prefix}-Age`, String(Math.ceil(age / 1000))];
}

function reached(wanted: number, { position, changed, wait }: Recency): Promise<Refusal | null> {
  return new Promise((resolve, reject) => {
    const end = (refusal: Refusal | null) => {
      stop();
      stopWaiting();
      resolve(refusal);
    };
    const stop = changed(() => {
      if (position() >= wanted) end(null);
    });
    const stopWaiting = after(wait, () => end(BEHIND), reject);
  });
}
