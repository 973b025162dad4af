import { z } from 'zod';

/** Which event may follow which in streams of one kind: a table with one row per event type. */
export interface Sequence {
  /** Prefix of stream names: `entry` for `entry-12`. */
  readonly kind: string;
  /** Whether stream names end with the id of an item, which events that name an `id` repeat. */
  readonly numbered: boolean;
  readonly steps: Readonly<Record<string, Step>>;
  /** States that a stream must not end in: another event leaves them. */
  readonly passing?: readonly string[];
}

export interface Step {
  readonly from: readonly string[];
  /** States in which an item can come back by this event, which then says `again`. */
  readonly again?: readonly string[];
  /** The state after the event; absent: unchanged. */
  readonly to?: string | ((data: Readonly<Record<string, unknown>>) => string);
}

/** A member of events that make an item. */
export const againField = {
  again: z
    .literal(true)
    .exactOptional()
    .describe('the item comes back with its id, after it had been deleted; absent: it is new'),
};

/** Whether an event brings back an item that had been deleted. */
export function isAgain(data: unknown): boolean {
  return (data as { readonly again?: unknown }).again === true;
}

/** State of every stream before its first event. */
export const initial = 'initial';
/** Usual state of an item that has no statuses. */
export const existing = 'existing';
/** State after a deletion. */
export const deleted = 'deleted';
/** State after an erasure, the end of a stream. */
export const erased = 'erased';

export interface Follower {
  /** Takes the next event. Returns why it is not allowed, or null; the state advances in both cases. */
  take(event: { readonly type: string; readonly data: unknown }): string | null;
  /** Returns why the stream may not end here, or null. */
  end(): string | null;
}

/** Starts following a stream. `number`: the end of its name. */
export function follow({ kind, numbered, steps, passing = [] }: Sequence, number: string): Follower {
  let state = initial;
  return {
    take({ type, data }) {
      const step = steps[type];
      if (step === undefined) return `${type} does not belong into a stream of the kind ${kind}`;
      const fields = data as Readonly<Record<string, unknown>>;
      const before = state;
      state = typeof step.to === 'function' ? step.to(fields) : (step.to ?? state);
      const from = isAgain(fields) ? (step.again ?? []) : step.from;
      if (!from.includes(before)) return `${type} cannot happen in the state ${before}`;
      const { id } = fields;
      return numbered && id !== undefined && String(id) !== number ? `${type} is about the id ${id}` : null;
    },
    end: () => (passing.includes(state) ? `the stream ends in the state ${state}` : null),
  };
}
