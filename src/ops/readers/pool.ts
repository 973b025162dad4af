import type { Server } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { Refusal } from '#domain/kernel/refusal.ts';
import type { Visits } from '#http/audit/visit.ts';
import type { LateMade, LateWork, PoolAnswer, PoolPage, PoolRead, ReaderPool } from '#http/engine/pool.ts';
import type { PageReply } from '#http/server/page-reply.ts';
import type { AnswerSource, RequestMeter } from '#http/server/tracing.ts';
import { PortSocket } from '#process/port-socket.ts';
import type { Published } from '#projections/kernel/changes.ts';
import type { TextWork } from '#text/prepared-texts.ts';
import { startThread, type Thread } from '../threads.ts';
import { limitTogether, sharedNumber } from './connection-count.ts';
import type { FromReader, Observed, ReaderAnswer, ReaderData, ReaderQuestion, ToReader } from './messages.ts';

export interface ReaderThreadsOptions {
  /** Settings of the server. */
  readonly env: ReaderData['env'];
  readonly onFault: (error: unknown) => void;
  /** Threads that share the port once the server listens. Default: none; one starts when it is needed, and ends when it is idle. */
  readonly count?: number;
  readonly meter?: (Pick<RequestMeter, 'request' | 'read'> & { connectionDropped(count: number): void }) | null;
  /** Module that a thread evaluates. Default: the reader. */
  readonly file?: URL;
  /** Milliseconds after which an idle thread ends that does not listen. Default: a minute. */
  readonly idleTime?: number;
  /** Milliseconds after which a thread ends that does not answer. Default: a minute. */
  readonly deadline?: number;
  /** Milliseconds after a thread has failed until the next is started. Default: a second. */
  readonly pause?: number;
}

/** The server whose port is shared. */
export interface SharedPort {
  /** Answers what the threads hand over. */
  readonly server: Server;
  /** Maximum number of open connections of all threads. */
  readonly connectionLimit: number;
}

interface Running {
  readonly thread: Thread;
  readonly told: Int32Array;
  readonly listens: boolean;
  readonly began: number;
  /** Milliseconds until another takes its place if it does not last. */
  readonly pause: number;
  isReady: boolean;
  task: Task | null;
  /** Ends it if it does not answer. */
  deadline?: NodeJS.Timeout;
}

interface Task {
  readonly question: ReaderQuestion;
  readonly isGone: () => boolean;
  readonly answer: (answer: ReaderAnswer) => void;
}

const readerFile = new URL('./thread.ts', import.meta.url);
const stays = () => false;
/** Milliseconds that questions wait while nothing is answered, until they are answered elsewhere; and while the first thread starts. */
const patience = 1000;
const startPatience = 20_000;
/** Milliseconds until a thread that listened is replaced: more after each that did not last. */
const firstPause = 100;
const longestPause = 60_000;
const lasting = 10_000;
/** Of a thread that answers questions alone, and of one that listens, too, in mebibytes. */
const young = { asked: 16, listening: 32 };

/**
 * Threads that have a reader each, which follows the commits of this one. They answer long reads, one at a time each, and with `count` share
 * the port. What none of them can answer, or not yet, is answered by the main thread.
 */
export class ReaderThreads implements ReaderPool, Visits {
  readonly #options: ReaderThreadsOptions;
  readonly #waiting: Task[] = [];
  /** Those that are told of commits. */
  readonly #running = new Set<Running>();
  /** All that have not ended yet. */
  readonly #ending = new Map<Running, Promise<void>>();
  readonly #replacing = new Set<NodeJS.Timeout>();
  readonly #connections = sharedNumber();
  #port: SharedPort | null = null;
  #watch: NodeJS.Timeout | undefined;
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;
  #failedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ReaderThreadsOptions) {
    this.#options = options;
  }

  get isReady(): boolean {
    for (const { isReady } of this.#running) if (isReady) return true;
    return false;
  }

  /** Number of threads that take connections. */
  get live(): number {
    return [...this.#running].filter(({ isReady, listens }) => isReady && listens).length;
  }

  wake(): void {
    const isPausing = performance.now() - this.#failedAt < (this.#options.pause ?? 1000);
    if (this.#running.size === 0 && !this.#isClosed && !isPausing && (this.#options.count ?? 0) === 0) this.#start();
  }

  /** Called before the server listens. */
  share(port: SharedPort): void {
    this.#port = port;
    limitTogether(port.server, { all: this.#connections, own: sharedNumber() }, port.connectionLimit);
  }

  /** Called when the server listens. */
  listen(): void {
    for (let i = 0; i < (this.#options.count ?? 0); i++) this.#start();
  }

  read(read: PoolRead, isGone: () => boolean): Promise<PoolAnswer | null> {
    return this.#ask({ kind: 'read', read }, isGone);
  }

  page(url: string, isGone: () => boolean): Promise<PoolPage | null> {
    return this.#ask({ kind: 'page', url }, isGone);
  }

  visit(address: string): Promise<PageReply | Refusal | null> {
    return this.#ask({ kind: 'visit', address });
  }

  late(work: LateWork): Promise<LateMade | null> {
    return this.#ask({ kind: 'late', work });
  }

  compute(works: readonly TextWork[]): Promise<readonly string[] | null> {
    return this.#ask({ kind: 'compute', works });
  }

  /** Passes on what a commit has changed; null: threads that begin with all that is stored take the place of these. */
  publish(published: Published | null): void {
    for (const running of [...this.#running]) {
      if (published !== null) {
        send(running, { kind: 'published', published });
        Atomics.add(running.told, 0, 1);
      } else {
        this.#running.delete(running);
        dismiss(running, 'leave');
        this.#answer(running, null);
        if (running.listens) this.#start();
      }
    }
    if (published === null) this.#giveUp();
  }

  /** From now on, each answer closes its connection. */
  stopping(): void {
    for (const running of this.#running) send(running, { kind: 'stopping' });
  }

  /** Lets the threads finish what they answer, within a number of milliseconds, and take no more. */
  async close(longest = 0): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#replacing) clearTimeout(timer);
    clearTimeout(this.#idle);
    const all = [...this.#ending.keys()];
    this.#running.clear();
    for (const running of all) {
      dismiss(running, 'end');
      this.#answer(running, null);
    }
    this.#giveUp();
    const deadline = setTimeout(() => this.kill(), longest);
    await Promise.all(this.#ending.values());
    clearTimeout(deadline);
  }

  /** Ends all threads at once. Those that listen are replaced, unless it is closed. */
  kill(): void {
    for (const running of this.#running) running.isReady = false;
    for (const { thread } of this.#ending.keys()) void thread.end();
  }

  #ask<A extends ReaderAnswer>(question: ReaderQuestion, isGone = stays): Promise<A | null> {
    this.wake();
    if (this.#running.size === 0) return Promise.resolve(null);
    const { promise, resolve } = Promise.withResolvers<A | null>();
    this.#waiting.push({ question, isGone, answer: (made) => resolve(made as A | null) });
    this.#next();
    return promise;
  }

  /** Gives questions to the threads that have none. */
  #next(): void {
    for (const running of this.#running) {
      if (!running.isReady || running.task !== null) continue;
      let task = this.#waiting.shift();
      for (; task?.isGone() === true; task = this.#waiting.shift()) task.answer(null);
      if (task === undefined) return;
      running.task = task;
      running.deadline = setTimeout(() => void running.thread.end(), this.#options.deadline ?? 60_000).unref();
      send(running, { kind: 'ask', question: task.question });
    }
    clearTimeout(this.#idle);
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => this.#giveUp(), this.isReady ? patience : startPatience).unref();
  }

  #answer(running: Running, answer: ReaderAnswer): void {
    const { task } = running;
    clearTimeout(running.deadline);
    running.task = null;
    task?.answer(answer);
  }

  #giveUp(): void {
    void leaveInTurns(this.#waiting.splice(0));
  }

  #start(pause = firstPause): void {
    if (this.#isClosed) return;
    const { env, file = readerFile, onFault } = this.#options;
    const listens = this.#port !== null && (this.#options.count ?? 0) > 0;
    const [told, own] = [sharedNumber(), sharedNumber()];
    const shared = { connections: { all: this.#connections, own }, isTerminal: process.stdout.isTTY };
    const data: ReaderData = { env: { ...env, ...this.#portOf(listens) }, told, listens: listens ? shared : null };
    const maxYoungGenerationSizeMb = listens ? young.listening : young.asked;
    const resourceLimits = { maxYoungGenerationSizeMb, maxOldGenerationSizeMb: 2048 };
    const thread = startThread(file, { workerData: data, resourceLimits });
    const { worker } = thread;
    const running: Running = { thread, told, listens, began: performance.now(), pause, isReady: false, task: null };
    this.#running.add(running);
    worker.on('message', (said: FromReader) => this.#take(running, said));
    let fault: unknown;
    worker.once('error', (error) => {
      fault = error;
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ending.set(running, promise);
    worker.once('exit', (code) => {
      Atomics.sub(this.#connections, 0, Atomics.load(own, 0));
      this.#ending.delete(running);
      resolve();
      this.#answer(running, null);
      if (!this.#running.delete(running)) return;
      onFault(fault ?? new Error(`a reader thread ended with code ${code}`));
      this.#failedAt = performance.now();
      if (!this.isReady) this.#giveUp();
      if (listens) this.#replace(running);
    });
  }

  #portOf(listens: boolean): { readonly PORT?: string } {
    const address = this.#port?.server.address();
    return listens ? { PORT: String(typeof address === 'object' && address?.port) } : {};
  }

  #take(running: Running, said: FromReader): void {
    if (said.kind === 'connection') {
      this.#port?.server.emit('connection', new PortSocket(said.port, said.address));
      return;
    }
    if (said.kind === 'observed') this.#count(said.observed);
    else if (said.kind === 'ready') running.isReady = true;
    else this.#answer(running, said.answer);
    if (!this.#running.has(running)) return;
    this.#next();
    if (!running.listens && running.task === null) this.#rest(running);
  }

  #count({ requests, reads, dropped }: Observed): void {
    const { meter } = this.#options;
    for (const { route, method, status, durations } of requests.values())
      for (const ms of durations) meter?.request(route, method, status, ms);
    for (const [source, count] of Object.entries(reads)) meter?.read(source as AnswerSource, count);
    meter?.connectionDropped(dropped);
  }

  /** Ends a thread that nobody needs. */
  #rest(running: Running): void {
    clearTimeout(this.#idle);
    const end = () => {
      this.#running.delete(running);
      void running.thread.end();
    };
    this.#idle = setTimeout(end, this.#options.idleTime ?? 60_000).unref();
  }

  #replace({ began, pause: ownPause }: Running): void {
    const pause = performance.now() - began > lasting ? firstPause : ownPause;
    const timer = setTimeout(() => {
      this.#replacing.delete(timer);
      this.#start(Math.min(2 * pause, longestPause));
    }, pause);
    this.#replacing.add(timer);
  }
}

/** Leaves questions to the main thread, which answers others in between. */
async function leaveInTurns(tasks: readonly Task[]): Promise<void> {
  for (const task of tasks) {
    task.answer(null);
    await turn();
  }
}

function send({ thread }: Running, message: ToReader): void {
  thread.worker.postMessage(message);
}

/** Lets a thread that listens finish what it answers. Any other, and one that still starts, ends at once. */
function dismiss(running: Running, kind: 'leave' | 'end'): void {
  if (running.isReady && running.listens) send(running, { kind });
  else void running.thread.end();
}
