import type { Server } from 'node:http';
import type { MessagePort } from 'node:worker_threads';
import type { AnswerSource, RequestMeter } from '#http/server/tracing.ts';
import { PortSocket } from '#process/port-socket.ts';
import type { Published } from '#projections/kernel/changes.ts';
import { startThread, type Thread } from '../threads.ts';
import { type ConnectionCount, limitTogether, sharedNumber } from './connection-count.ts';
import { resourceLimits } from './resource-limits.ts';

export type ToListening =
  | { readonly kind: 'published'; readonly published: Published }
  | { readonly kind: 'stopping' }
  | { readonly kind: 'leave' }
  | { readonly kind: 'end' };

export type FromListening =
  | { readonly kind: 'ready' }
  | { readonly kind: 'connection'; readonly port: MessagePort; readonly address: string | undefined }
  | { readonly kind: 'observed'; readonly observed: Observed };

/** What a thread has answered since its last report. */
export interface Observed {
  readonly requests: Map<string, ObservedRequests>;
  readonly reads: Record<AnswerSource, number>;
  dropped: number;
}

interface ObservedRequests {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  /** In milliseconds. */
  readonly durations: number[];
}

export interface ListeningData {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Number of messages about commits that the thread has been sent. */
  readonly told: Int32Array;
  readonly connections: ConnectionCount;
  readonly isTerminal: boolean;
}

export interface ListeningReadersOptions {
  readonly count: number;
  /** Settings of the server. */
  readonly env: ListeningData['env'];
  /** Answers what the threads hand over. */
  readonly server: Server;
  /** Maximum number of open connections of all threads. */
  readonly connectionLimit: number;
  readonly onFault: (error: unknown) => void;
  readonly meter?: (Pick<RequestMeter, 'request' | 'read'> & { connectionDropped(count: number): void }) | null;
}

interface Listening {
  readonly thread: Thread;
  readonly told: Int32Array;
  readonly began: number;
  /** Milliseconds until another takes its place if it does not last. */
  readonly pause: number;
  isReady: boolean;
}

/** Milliseconds until a thread that has ended is replaced: more after each that did not last. */
const firstPause = 100;
const longestPause = 60_000;
const lasting = 10_000;

/** Threads that share the port of the server. Each has a reader of its own, and is told of commits before they are acknowledged. */
export class ListeningReaders {
  readonly #options: ListeningReadersOptions;
  readonly #all = sharedNumber();
  readonly #running = new Set<Listening>();
  /** All that have not ended yet, those included that are told of nothing any more. */
  readonly #ending = new Map<Listening, Promise<void>>();
  readonly #waiting = new Set<NodeJS.Timeout>();
  #isClosed = false;

  constructor(options: ListeningReadersOptions) {
    this.#options = options;
    const { server, connectionLimit } = options;
    limitTogether(server, { all: this.#all, own: sharedNumber() }, connectionLimit);
  }

  /** Number of threads that take connections. */
  get live(): number {
    return [...this.#running].filter(({ isReady }) => isReady).length;
  }

  /** Called when the server listens. */
  start(): void {
    for (let i = 0; i < this.#options.count; i++) this.#start();
  }

  /** Passes on what a commit has changed; null: threads that begin with all that is stored take the place of these. */
  publish(published: Published | null): void {
    for (const reader of [...this.#running]) {
      if (published === null) {
        this.#running.delete(reader);
        dismiss(reader, 'leave');
        this.#start();
      } else {
        reader.thread.worker.postMessage({ kind: 'published', published } satisfies ToListening);
        Atomics.add(reader.told, 0, 1);
      }
    }
  }

  /** From now on, each answer closes its connection. */
  stopping(): void {
    for (const { thread } of this.#running) thread.worker.postMessage({ kind: 'stopping' } satisfies ToListening);
  }

  /** Lets the threads finish what they answer, within a number of milliseconds, and take no more. */
  async close(longest: number): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#waiting) clearTimeout(timer);
    this.#running.clear();
    for (const reader of this.#ending.keys()) dismiss(reader, 'end');
    const deadline = setTimeout(() => this.kill(), longest);
    await Promise.all(this.#ending.values());
    clearTimeout(deadline);
  }

  /** Ends all threads at once. They are replaced, unless it is closed. */
  kill(): void {
    for (const reader of this.#running) reader.isReady = false;
    for (const { thread } of this.#ending.keys()) void thread.end();
  }

  #start(pause = firstPause): void {
    if (this.#isClosed) return;
    const { env, onFault, server } = this.#options;
    const address = server.address();
    const PORT = String(typeof address === 'object' && address?.port);
    const told = sharedNumber();
    const own = sharedNumber();
    const connections = { all: this.#all, own };
    const workerData: ListeningData = { env: { ...env, PORT }, told, connections, isTerminal: process.stdout.isTTY };
    const limits = { ...resourceLimits, maxYoungGenerationSizeMb: 32 };
    const url = new URL('./listening-thread.ts', import.meta.url);
    const thread = startThread(url, { workerData, resourceLimits: limits });
    const { worker } = thread;
    const reader: Listening = { thread, told, began: performance.now(), pause, isReady: false };
    this.#running.add(reader);
    worker.on('message', (said: FromListening) => this.#take(reader, said));
    let fault: unknown;
    worker.once('error', (error) => {
      fault = error;
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ending.set(reader, promise);
    worker.once('exit', (code) => {
      Atomics.sub(this.#all, 0, Atomics.load(own, 0));
      this.#ending.delete(reader);
      resolve();
      if (!this.#running.delete(reader)) return;
      onFault(fault ?? new Error(`a reader thread ended with code ${code}`));
      this.#replace(reader);
    });
  }

  #take(reader: Listening, said: FromListening): void {
    const { server } = this.#options;
    if (said.kind === 'ready') reader.isReady = true;
    else if (said.kind === 'connection') server.emit('connection', new PortSocket(said.port, said.address));
    else this.#count(said.observed);
  }

  #count({ requests, reads, dropped }: Observed): void {
    const { meter } = this.#options;
    for (const { route, method, status, durations } of requests.values())
      for (const ms of durations) meter?.request(route, method, status, ms);
    for (const [source, count] of Object.entries(reads)) meter?.read(source as AnswerSource, count);
    meter?.connectionDropped(dropped);
  }

  #replace({ began, pause: ownPause }: Listening): void {
    const pause = performance.now() - began > lasting ? firstPause : ownPause;
    const timer = setTimeout(() => {
      this.#waiting.delete(timer);
      this.#start(Math.min(2 * pause, longestPause));
    }, pause);
    this.#waiting.add(timer);
  }
}

/** Lets a thread finish what it answers. One that still starts has taken no connections. */
function dismiss({ thread, isReady }: Listening, kind: 'leave' | 'end'): void {
  if (isReady) thread.worker.postMessage({ kind } satisfies ToListening);
  else void thread.end();
}
