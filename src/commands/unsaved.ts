import type { DatabaseSync } from 'node:sqlite';
import { type EventStore, LogUnavailable } from '#eventstore/port.ts';
import { applyUncommitted } from '#projections/catchup.ts';
import type { Projector } from '#projections/projector.ts';

export interface UnsavedParts {
  readonly log: Pick<EventStore, 'head' | 'read'>;
  readonly db: DatabaseSync;
  readonly projector: Projector;
  readonly onChange: (held: boolean) => void;
  readonly onFault: (error: unknown) => void;
}

/**
 * What the log has and the file of the projections does not take. It is held in an open transaction, from which reads are
 * answered until the file takes it; so a commit that was acknowledged never vanishes.
 */
export class Unsaved {
  readonly #parts: UnsavedParts;
  #held = false;

  constructor(parts: UnsavedParts) {
    this.#parts = parts;
  }

  get held(): boolean {
    return this.#held;
  }

  /** Holds all that the log has beyond the file; false when that cannot be read either. */
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

  /** Writes what is held. Throws `LogUnavailable` when the file still does not take it. */
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
