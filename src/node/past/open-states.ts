import { rmSync } from 'node:fs';
import type { EventStore } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import type { PastModel } from '#projections/past/model.ts';
import { keepState } from './kept-states.ts';
import { type OpenState, openState } from './open-state.ts';

export interface OpenStatesOptions {
  readonly logPath: string;
  /** Folder of the kept states. */
  readonly directory: string;
  /** Path of the present projections; see `openState`. */
  readonly present: string;
}

interface Open {
  readonly state: OpenState;
  readonly log: EventStore;
  readonly path: string;
}

/** A state also answers for this many positions before it, so that neighbouring positions share one. */
const step = 5000;
/** Maximum number of open states; each takes some hundred megabytes of memory. */
const max = 2;

/** The states of the far past that are open in this thread. */
export class OpenStates {
  readonly #options: OpenStatesOptions;
  /** By position; the least recently used first. */
  readonly #open = new Map<number, Open>();

  constructor(options: OpenStatesOptions) {
    this.#options = options;
  }

  /** The site as of a position, from an open state at or soon after it. Opens one otherwise, which takes seconds if it has to be made. */
  at(position: number): PastModel {
    const found = this.#open.entries().find(([base]) => base >= position && base - position < step);
    const [base, open] = found ?? this.#start(position);
    this.#open.delete(base);
    this.#open.set(base, open);
    return open.state.past.at(position);
  }

  /** Does a few milliseconds of work that later searches would need. Returns false when none is left. */
  work(): boolean {
    return this.#open.values().some(({ state }) => state.work());
  }

  /** Removes all open states and their files, which are damaged. */
  discard(): void {
    for (const [base, open] of this.#open) {
      this.#close(base, open);
      rmSync(open.path, { force: true });
    }
  }

  #start(position: number): readonly [number, Open] {
    const { logPath, directory, present } = this.#options;
    for (const [base, open] of this.#open) if (this.#open.size >= max) this.#close(base, open);
    const log = openSqliteStore({ path: logPath, readOnly: true });
    try {
      const base = baseOf(position, log);
      const path = keepState({ log, directory, position: base, clock: Date.now });
      return [base, { state: openState({ log, path, position: base, present }), log, path }];
    } catch (error) {
      log.close();
      throw error;
    }
  }

  #close(base: number, { state, log }: Open): void {
    this.#open.delete(base);
    state.close();
    log.close();
  }
}

/** The position whose state answers for another one: rounded up, so that its state probably exists. */
function baseOf(position: number, log: EventStore): number {
  const base = Math.ceil(position / step) * step;
  if (base > log.head().position) return position;
  const [event] = base === 0 ? [] : log.read({ from: base, limit: 1 });
  return event === undefined ? base : base + event.commit.n - 1 - event.commit.i;
}
