/** What may happen in streams of one kind, and after what: a table with one row for each type of event. */
export interface Sequence {
  /** What the names of its streams begin with: `entry` for `entry-12`. */
  readonly kind: string;
  /** Whether a stream is of one thing with an id: its number, which events that name an `id` repeat. */
  readonly numbered: boolean;
  readonly steps: Readonly<Record<string, Step>>;
  /** States that a stream only passes through: its next event leaves them. */
  readonly passing?: readonly string[];
}

export interface Step {
  readonly from: readonly string[];
  /** The state after it; absent: as before. */
  readonly to?: string | ((data: Readonly<Record<string, unknown>>) => string);
}

/** The state of every stream before its first event. */
export const nothing = 'nothing';
/** The usual state of a thing that only comes and goes. */
export const there = 'there';
/** The state after a deletion. */
export const gone = 'gone';
/** The state after an erasure, the end of a stream. */
export const erased = 'erased';

export interface Follower {
  /** Takes the next event; answers why it may not happen there, or null. After that it goes on as if it had. */
  take(event: { readonly type: string; readonly data: unknown }): string | null;
  /** Answers why the stream may not end there, or null. */
  end(): string | null;
}

/** Begins to follow a stream. `number`: what its name ends with. */
export function follow({ kind, numbered, steps, passing = [] }: Sequence, number: string): Follower {
  let state = nothing;
  return {
    take({ type, data }) {
      const step = steps[type];
      if (step === undefined) return `${type} does not belong into a stream of the kind ${kind}`;
      const fields = data as Readonly<Record<string, unknown>>;
      const before = state;
      state = typeof step.to === 'function' ? step.to(fields) : (step.to ?? state);
      if (!step.from.includes(before)) return `${type} cannot happen in the state ${before}`;
      const { id } = fields;
      return numbered && id !== undefined && String(id) !== number ? `${type} is about the id ${id}` : null;
    },
    end: () => (passing.includes(state) ? `the stream ends in the state ${state}` : null),
  };
}
