import type { Refusal } from '#domain/kernel/refusal.ts';
import type { Visits } from '#http/audit/visit.ts';
import type { LateMade, LateWork, PoolAnswer, PoolPage, PoolRead, ReaderPool } from '#http/engine/pool.ts';
import type { PageReply } from '#http/server/page-reply.ts';
import { addChanges, noChanges, type Published } from '#projections/kernel/changes.ts';
import type { TextWork } from '#text/prepared-texts.ts';
import { startThread, type Thread } from '../threads.ts';
import { resourceLimits } from './resource-limits.ts';

/** Messages between the main thread and a reader thread. They are copied, or moved where they are bytes. */

export type ReaderQuestion =
  | { readonly kind: 'read'; readonly read: PoolRead; readonly past: number | null }
  | { readonly kind: 'page'; readonly url: string }
  | { readonly kind: 'late'; readonly work: LateWork }
  | { readonly kind: 'compute'; readonly works: readonly TextWork[] }
  | { readonly kind: 'visit'; readonly address: string; readonly past: number | null };

export type ToReader = ReaderQuestion | { readonly kind: 'published'; readonly published: Published };

/** Answers come in the order of the questions; null: the thread cannot answer it. */
export type ReaderAnswer = PoolAnswer | PoolPage | LateMade | readonly string[] | PageReply | Refusal | null;

export type FromReader =
  | { readonly kind: 'ready' }
  /** `fault`: why there is no answer, if no other thread can give one. */
  | { readonly kind: 'answer'; readonly answer: ReaderAnswer; readonly fault?: unknown };

export interface ReaderData {
  readonly env: ReaderThreadOptions['env'];
  readonly hasStates: boolean;
  readonly overlayLimit: number | undefined;
}

export interface ReaderThreadOptions {
  /** Settings of the server. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onFault: (error: unknown) => void;
  /** Module that the thread evaluates. Default: the reader. */
  readonly file?: URL;
  /** Milliseconds after which an idle thread ends. Default: a minute. */
  readonly idleTime?: number;
  /** Milliseconds after a thread has failed until the next is started. Default: a second. */
  readonly pause?: number;
  /** Whether it makes states of the far past, and answers from them, which no other thread does: questions wait for it. Default: no. */
  readonly hasStates?: boolean;
  /** Entries that may differ before a position counts as far back; see `Past`. */
  readonly overlayLimit?: number | undefined;
  /** Maximum number of questions that wait; further ones are not answered. Default: any. */
  readonly maxWaiting?: number;
  /** Milliseconds after which a question is not answered any more, although the work on it continues. Default: none. */
  readonly timeout?: number;
}

interface Task {
  readonly question: ReaderQuestion;
  readonly isGone: () => boolean;
  readonly answer: (answer: ReaderAnswer) => void;
}

const readerFile = new URL('./thread.ts', import.meta.url);
const stays = () => false;
/** Milliseconds that a question may take until those that wait behind it are answered elsewhere, if anybody can. */
const patience = 1000;
/** Changed entries for which a new thread is quicker than one that catches up. */
const most = 5000;

/**
 * Answers long reads in a thread that starts when it is first needed, and ends when it is idle. It has a reader of its own, which follows
 * the commits of this one. What it cannot answer, or not yet, is answered by the main thread, except what needs a state of the far past.
 */
export class ReaderThread implements ReaderPool, Visits {
  readonly #options: ReaderThreadOptions;
  readonly #waiting: Task[] = [];
  #thread: Thread | null = null;
  #current: Task | null = null;
  /** What the thread does not know yet: it is told with the next question, so that writes cost nothing while nobody asks. */
  #pending: Published | null = null;
  #watch: NodeJS.Timeout | undefined;
  #isReady = false;
  #isClosed = false;
  #failedAt = Number.NEGATIVE_INFINITY;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: ReaderThreadOptions) {
    this.#options = options;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  read(read: PoolRead, isGone: () => boolean, past: number | null = null): Promise<PoolAnswer | null> {
    return this.#ask({ kind: 'read', read, past }, isGone);
  }

  page(url: string, isGone: () => boolean): Promise<PoolPage | null> {
    return this.#ask({ kind: 'page', url }, isGone);
  }

  late(work: LateWork): Promise<LateMade | null> {
    return this.#ask({ kind: 'late', work }, stays);
  }

  compute(works: readonly TextWork[]): Promise<readonly string[] | null> {
    return this.#ask({ kind: 'compute', works }, stays);
  }

  visit(address: string, past: number | null): Promise<PageReply | Refusal | null> {
    return this.#ask({ kind: 'visit', address, past }, stays);
  }

  wake(): void {
    if (this.#isClosed || this.#isPausing) return;
    this.#thread ??= this.#start();
  }

  get #isPausing(): boolean {
    return performance.now() - this.#failedAt < (this.#options.pause ?? 1000);
  }

  /** Passes on what a commit has changed; null: a new thread has to begin with all that is stored. */
  publish(published: Published | null): void {
    if (this.#thread === null) return;
    if (published !== null && this.#current !== null) {
      this.#send({ kind: 'published', published });
    } else if (published !== null && (this.#pending?.changes.entries.size ?? 0) < most) {
      this.#note(published);
    } else {
      void this.#end();
      if (this.#options.hasStates === true) this.#next();
      else this.#giveUp();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = this.#end();
    this.#giveUp();
    await ended;
  }

  #ask<A extends ReaderAnswer>(question: ReaderQuestion, isGone: () => boolean): Promise<A | null> {
    const { hasStates = false, maxWaiting = Number.POSITIVE_INFINITY, timeout } = this.#options;
    this.wake();
    const waits = this.#isReady || hasStates;
    if (this.#thread === null || !waits || this.#waiting.length >= maxWaiting) return Promise.resolve(null);
    const { promise, resolve } = Promise.withResolvers<A | null>();
    let isLate = false;
    const giveUp = () => {
      isLate = true;
      resolve(null);
    };
    const timer = timeout === undefined ? undefined : setTimeout(giveUp, timeout).unref();
    const answer = (made: ReaderAnswer) => {
      clearTimeout(timer);
      resolve(made as A | null);
    };
    this.#waiting.push({ question, isGone: () => isLate || isGone(), answer });
    this.#next();
    return promise;
  }

  #next(): void {
    if (this.#current !== null || this.#waiting.length === 0) return;
    this.wake();
    if (!this.#isReady) return;
    clearTimeout(this.#idle);
    let task = this.#waiting.shift();
    for (; task?.isGone() === true; task = this.#waiting.shift()) task.answer(null);
    if (task === undefined) return;
    this.#current = task;
    this.#watchCurrent();
    if (this.#pending !== null) this.#send({ kind: 'published', published: this.#pending });
    this.#pending = null;
    this.#send(task.question);
  }

  #start(): Thread {
    const { env, onFault, hasStates = false, overlayLimit, file = readerFile } = this.#options;
    const workerData: ReaderData = { env, hasStates, overlayLimit };
    const thread = startThread(file, { workerData, resourceLimits });
    const { worker } = thread;
    worker.on('message', (said: FromReader) => this.#take(thread, said));
    worker.once('error', onFault);
    worker.once('exit', () => {
      if (this.#thread !== thread) return;
      this.#failedAt = performance.now();
      void this.#end();
      this.#giveUp();
    });
    return thread;
  }

  #take(thread: Thread, said: FromReader): void {
    if (this.#thread !== thread) return;
    if (said.kind === 'ready') this.#isReady = true;
    else this.#answer(said.answer);
    if ('fault' in said) this.#options.onFault(said.fault);
    this.#next();
    if (this.#current === null) this.#rest();
  }

  #answer(answer: ReaderAnswer): void {
    const task = this.#current;
    this.#current = null;
    clearTimeout(this.#watch);
    task?.answer(answer);
  }

  #watchCurrent(): void {
    if (this.#options.hasStates !== true) this.#watch = setTimeout(() => this.#giveUp(), patience).unref();
  }

  #note({ changes, position }: Published): void {
    const all = this.#pending?.changes ?? noChanges();
    addChanges(all, changes);
    this.#pending = { changes: all, position };
  }

  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#end(), this.#options.idleTime ?? 60_000).unref();
  }

  /** Ends the thread. The main thread answers what it was answering. */
  async #end(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = null;
    this.#isReady = false;
    this.#pending = null;
    this.#answer(null);
    await thread?.end();
  }

  #giveUp(): void {
    for (const task of this.#waiting.splice(0)) task.answer(null);
  }

  #send(message: ToReader): void {
    this.#thread?.worker.postMessage(message);
  }
}
