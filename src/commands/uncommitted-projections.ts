import type { DatabaseSync } from 'node:sqlite';
import { type EventStore, LogUnavailable } from '#eventstore/port.ts';
import { applyUncommitted } from '#projections/projector/catchup.ts';
import type { Projector } from '#projections/projector/projector.ts';

export interface UnsavedParts {
  readonly log: Pick<EventStore, 'head' | 'read'>;
  readonly db: DatabaseSync;
  readonly projector: Projector;
  readonly onChange: (held: boolean) => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * Holds commits that are in the log but cannot be written to the projections file. They are applied in an open transaction, which serves
 * reads until the file can be written; so an acknowledged commit never vanishes.
 */
export class UncommittedProjections {
  readonly #parts: UnsavedParts;
  #held = false;

  constructor(parts: UnsavedParts) {
    this.#parts = parts;
  }

  get held(): boolean {
    return this.#held;
  }

  /** Applies everything the log has beyond the file. Returns false when that cannot be read either. */
  hold(): boolean {
    try {
      applyUncommitted(this.#parts);
      this.#set(true);
    } catch (error) {
      this.#parts.onFault(error);
      this.#set(false);
    }
    return this.#held;
  }

  /** Commits what is held. Throws `LogUnavailable` when the file still cannot be written. */
  save(): void {
    if (!this.#held) return;
    const { db } = this.#parts;
    try {
      db.exec('COMMIT; PRAGMA cache_spill = ON');
    } catch (error) {
      this.hold();
      throw new LogUnavailable('the read model cannot be written', { cause: error });
    }
    this.#set(false);
  }

  #set(held: boolean): void {
    if (held === this.#held) return;
    this.#held = held;
    this.#parts.onChange(held);
  }
}
