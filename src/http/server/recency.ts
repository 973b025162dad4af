import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { after } from '#process/guard.ts';
import { BEHIND } from '../message/limits.ts';

export interface Recency {
  readonly position: () => number;
  /** Position of the last acknowledged write of this node: responses never show less. */
  readonly acknowledged: () => number;
  /** Called for each read, except for health checks. */
  readonly asked: () => void;
  /** Calls `listener` whenever more of the log is shown. Returns a function that stops it. */
  readonly changed: (listener: () => void) => () => void;
  /** Milliseconds since the read model was last known to be current; 0 if that was a moment ago. */
  readonly ageMs: () => number;
  /** Maximum milliseconds that a request waits for the position it names. */
  readonly wait: number;
}

const WHOLE = /^\d{1,15}$/;
const INVALID = refuse('rest_invalid_position', 'The position that the request names must be a whole number.');

/**
 * Waits until the read model shows the position named in a request header and all writes acknowledged by this node, so that clients
 * never read a state before their own writes. Null at once if it already does. `named`: the value of the header.
 */
export function untilShown(
  named: string | string[] | undefined,
  recency: Recency,
): Promise<Refusal | null> | Refusal | null {
  if (named !== undefined && (typeof named !== 'string' || !WHOLE.test(named))) return INVALID;
  const wanted = Math.max(Number(named ?? 0), recency.acknowledged());
  return recency.position() >= wanted ? null : reached(wanted, recency);
}

/** The header with a response's age in whole seconds; none if it is current. */
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
