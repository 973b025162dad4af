import type { DatabaseSync } from 'node:sqlite';
import { type EventStore, LogUnavailable } from '#eventstore/port.ts';
import type { WriteAhead } from '#eventstore/write-ahead.ts';
import { isDamage } from '#projections/kernel/sums.ts';
import { catchUpFollowing } from '#projections/projector/catchup.ts';
import type { Projector } from '#projections/projector/projector.ts';
import type { Done } from './jobs.ts';

export interface FollowUpParts {
  readonly log: Pick<EventStore, 'head' | 'read'>;
  readonly db: DatabaseSync;
  readonly projector: Projector;
  readonly writeAhead: Pick<WriteAhead, 'busy'>;
  /** Serves reads from an open transaction while the file cannot be written. Returns false when that is impossible. */
  readonly hold: () => boolean;
  readonly isIdle: () => boolean;
  readonly onFault: (error: unknown) => void;
  /** Called when the following projections contradict the log. */
  readonly onDamage: (error: Error) => void;
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Brings following projections up to the immediate ones: after a group has been answered, and before they are read. */
export class FollowUp {
  readonly #parts: FollowUpParts;
  #shown: number;
  #waiting: Waiting[] = [];
  #failed = false;

  constructor(parts: FollowUpParts) {
    this.#parts = parts;
    this.#shown = parts.projector.checkpoint.position;
  }

  /** Keeps the events of a group, so that they need not be read from the log. */
  note(done: readonly Pick<Done, 'recorded' | 'bytes'>[]): void {
    const events = done.flatMap(({ recorded }) => recorded);
    const bytes = done.reduce((sum, one) => sum + one.bytes, 0);
    if (events.length > 0) this.#parts.projector.followers.note(events, bytes);
  }

  show(position: number): void {
    this.#shown = position;
    this.#failed = false;
  }

  get isBehind(): boolean {
    return this.#parts.projector.followers.isBehind(this.#shown);
  }

  /** After each group: catches up if readers wait or the backlog has grown too large. */
  afterGroup(): void {
    const isFar = this.#parts.projector.followers.isFarBehind(this.#shown);
    if (this.#waiting.length > 0) this.#isThere();
    else if (isFar) this.catchUp();
  }

  /** At the end of all work: rejects readers that still wait, because nothing would answer them before the next write. */
  end(): void {
    for (const { reject } of this.#waiting.splice(0)) reject(unavailable());
  }

  /**
   * Waits until the following projections contain what is shown; returns undefined when they already do. Rejects with `LogUnavailable`
   * when the file cannot be written.
   */
  wait(): Promise<void> | undefined {
    if (this.#isThere()) return undefined;
    if (this.#parts.isIdle()) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  /** Catches up if that is possible now. Does not retry after a failed write. */
  catchUp(): void {
    if (this.isBehind && (this.#failed || !this.#isFree || !this.#write())) return;
    for (const { resolve } of this.#waiting.splice(0)) resolve();
  }

  #isThere(): boolean {
    if (this.isBehind && !(this.#isFree && (this.#write() || this.#parts.hold()))) return false;
    for (const { resolve } of this.#waiting.splice(0)) resolve();
    return true;
  }

  get #isFree(): boolean {
    const { db, writeAhead } = this.#parts;
    return !db.isTransaction && !writeAhead.busy;
  }

  #write(): boolean {
    const { log, db, projector, onFault, onDamage } = this.#parts;
    try {
      catchUpFollowing({ log, db, projector });
      return true;
    } catch (error) {
      this.#failed = true;
      if (isDamage(error)) onDamage(error as Error);
      else onFault(unavailable(error));
      return false;
    }
  }
}

function unavailable(cause?: unknown): LogUnavailable {
  return new LogUnavailable('the read model cannot be written', { cause });
}
