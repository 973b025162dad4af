const reasonCodes = {
  starting: 'it starts, and the first password is not printed yet',
  indexes_loading: 'the indexes of lists and searches are being loaded',
  stopping: 'it was told to stop',
  clock_leapt: 'the clock cannot be trusted',
  store_unwritable: 'no change can be stored',
  answers_damaged: 'answers that are kept ready are damaged and are being made again',
  projections_damaged: 'the projections are damaged and are being made again: no writes are taken',
  log_unreadable: 'the log cannot be read',
  reads_behind: 'reads do not show what the log has',
  event_store_differs: 'the event store has another log than this node',
  event_store_refuses: 'the event store and this node do not accept each other: an account or a certificate',
  event_store_unreachable: 'the event store does not answer',
  history_differs: 'the log is not the one that the latest checkpoint was made of',
  copy_stale: 'the copy of the shared log is old',
} as const;

export type ReasonCode = keyof typeof reasonCodes;

/** Why a node should not receive requests now. */
export interface Reason {
  readonly code: ReasonCode;
  readonly message: string;
}

/** The reasons that parts of a node hold while they last. */
export class Readiness {
  readonly #reasons = new Map<ReasonCode, Reason>();

  /** Holds a reason until it is released; repeating it replaces the message. */
  hold(code: ReasonCode, message: string = reasonCodes[code]): void {
    this.#reasons.set(code, { code, message });
  }

  release(code: ReasonCode): void {
    this.#reasons.delete(code);
  }

  get reasons(): readonly Reason[] {
    return [...this.#reasons.values()];
  }
}
