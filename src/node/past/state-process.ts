import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { EventStore } from '#eventstore/port.ts';
import { type Child, startChild } from '#process/child.ts';
import type { CommentQuery } from '#projections/comments/types.ts';
import type { CollectionQuery, Found } from '#projections/kernel/collection-query.ts';
import type { FarPast } from '#projections/past/past.ts';
import type { PastReply, Question } from './messages.ts';

interface StatePaths {
  readonly logPath: string;
  readonly directory: string;
  readonly present: string;
}

type Value = Exclude<PastReply['value'], null>;

export interface PastApartOptions extends StatePaths {
  readonly log: Pick<EventStore, 'read' | 'head'>;
  /** Maximum number of states at a time; each is a process with some hundred megabytes. Default: 2. */
  readonly max?: number;
  /** Milliseconds that a request waits for its answer. Default: 20 seconds. */
  readonly timeout?: number;
}

interface Running {
  readonly state: StateProcess;
  timer: NodeJS.Timeout;
}

export interface SaveState extends Pick<StatePaths, 'logPath' | 'directory'> {
  readonly position: number;
  /** Aborts building; the unfinished state is useless. */
  readonly signal: AbortSignal;
  readonly onProgress: (position: number) => void;
}

const script = new URL('./state.ts', import.meta.url);

/** A state also answers for this many positions before it, so that neighbouring positions share one. */
const step = 5000;
/** Maximum number of requests waiting for one state. */
const maxWaiting = 64;
/** Milliseconds after which an unused state is stopped. */
const idle = 5 * 60_000;

const BUSY = refuse(
  'rest_past_unavailable',
  'The site as it was then has to be put together first. Please try again in a few seconds.',
);

const savingScript = new URL('./keep.ts', import.meta.url);
const progress = z.object({ position: z.number() });

/** A child process that holds the site as of a position. Questions wait until it is ready. */
class StateProcess {
  readonly #child: Child;
  readonly #waiting = new Map<number, (value: Value | null) => void>();
  #asked = 0;
  isReady = false;
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>;

  /** `onEnd` is called when the process has ended, for whatever reason. */
  constructor({ logPath, directory, present }: StatePaths, position: number, onEnd: () => void) {
    this.#child = startChild(script, {
      args: [logPath, directory, present, String(position)],
      structured: true,
      onMessage: (reply) => this.#take(reply as PastReply),
    });
    this.gone = this.#child.ended.then(() => {
      for (const answer of this.#waiting.values()) answer(null);
      this.#waiting.clear();
      onEnd();
    });
  }

  get load(): number {
    return this.#waiting.size;
  }

  /** Returns the answer; null if the process has ended or takes longer than `timeout` milliseconds. */
  ask(question: Omit<Question, 'id'>, timeout: number): Promise<Value | null> {
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve) => {
      const timer = setTimeout(() => answer(null), timeout);
      const answer = (value: Value | null) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(value);
      };
      this.#waiting.set(id, answer);
      void this.#child.send({ id, ...question } satisfies Question).then((isSent) => {
        if (!isSent) answer(null);
      });
    });
  }

  stop(): void {
    this.#child.stop();
  }

  #take({ id, value }: PastReply): void {
    if (id === 0) this.isReady = true;
    else this.#waiting.get(id)?.(value as Value);
  }
}

/**
 * Answers for positions far back, from states in child processes. Requests for one state share it. When too many different states are
 * wanted at a time, or one is not ready in time, the request is refused; building continues, and a later request finds the state.
 */
export class PastInChildProcess implements FarPast {
  readonly #options: PastApartOptions;
  readonly #max: number;
  readonly #timeout: number;
  readonly #running = new Map<number, Running>();

  constructor(options: PastApartOptions) {
    this.#options = options;
    this.#max = options.max ?? 2;
    this.#timeout = options.timeout ?? 20_000;
  }

  async find(position: number, query: CollectionQuery): Promise<Found | Refusal> {
    return (await this.#ask(position, query)) as Found | Refusal;
  }

  async counts(position: number): Promise<ReadonlyMap<number, number> | Refusal> {
    return (await this.#ask(position, null)) as ReadonlyMap<number, number> | Refusal;
  }

  async comments(position: number, comments: CommentQuery): Promise<Found | Refusal> {
    return (await this.#ask(position, null, comments)) as Found | Refusal;
  }

  close(): void {
    for (const { state, timer } of this.#running.values()) {
      clearTimeout(timer);
      state.stop();
    }
  }

  async forget(): Promise<void> {
    const going = [...this.#running.values()].map(({ state }) => state.gone);
    this.close();
    await Promise.all(going);
    await rm(this.#options.directory, { recursive: true, force: true });
  }

  async #ask(position: number, query: CollectionQuery | null, comments?: CommentQuery) {
    const base = this.#baseOf(position);
    const state = this.#stateAt(base);
    if (state === null || state.load >= maxWaiting) return BUSY;
    return (await state.ask({ position, query, ...(comments && { comments }) }, this.#timeout)) ?? BUSY;
  }

  /** The position whose state answers for this one: rounded up, so that its state probably exists. */
  #baseOf(position: number): number {
    const { log } = this.#options;
    const base = Math.ceil(position / step) * step;
    if (base > log.head().position) return position;
    const [event] = base === 0 ? [] : log.read({ from: base, limit: 1 });
    return event === undefined ? base : base + event.commit.n - 1 - event.commit.i;
  }

  #stateAt(base: number): StateProcess | null {
    const running = this.#running.get(base) ?? this.#start(base);
    if (running === null) return null;
    clearTimeout(running.timer);
    running.timer = setTimeout(() => running.state.stop(), idle).unref();
    this.#running.delete(base);
    this.#running.set(base, running);
    return running.state;
  }

  #start(base: number): Running | null {
    if (this.#running.size >= this.#max && !this.#makeRoom()) return null;
    const state = new StateProcess(this.#options, base, () => {
      clearTimeout(running.timer);
      if (this.#running.get(base) === running) this.#running.delete(base);
    });
    const running: Running = { state, timer: setTimeout(() => state.stop(), idle).unref() };
    this.#running.set(base, running);
    return running;
  }

  /** Stops the least recently used idle state; returns false when all are busy. */
  #makeRoom(): boolean {
    for (const [base, { state, timer }] of this.#running) {
      if (!state.isReady || state.load > 0) continue;
      clearTimeout(timer);
      this.#running.delete(base);
      state.stop();
      return true;
    }
    return false;
  }
}

/** Builds a past state in a child process. Returns its path, or null when the process ended early. */
export async function saveStateInChildProcess(options: SaveState): Promise<string | null> {
  const { logPath, directory, position, signal, onProgress } = options;
  const { ended } = startChild(savingScript, {
    args: [logPath, directory, String(position)],
    signal,
    onMessage: (message) => {
      const known = progress.safeParse(message);
      if (known.success) onProgress(known.data.position);
    },
  });
  const { status } = await ended;
  return status === 0 ? join(directory, `${position}.db`) : null;
}
