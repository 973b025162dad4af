import { Cost, type Standing } from './cost.ts';
import { type TextJob, textJobs } from './jobs.ts';
import type { ReadLimit } from './read-time.ts';

export interface TextWork {
  readonly job: TextJob;
  readonly texts: readonly string[];
}

export type RunText = (work: TextWork) => Promise<string>;

/** Thrown by work for a client that has disconnected. */
export class Unwanted extends Error {
  override readonly name = 'Unwanted';
}

/** Thrown by work that lacks results: it is abandoned, and repeated once they are available. */
export class NeedsTexts extends Error {
  override readonly name = 'NeedsTexts';
  readonly works: readonly TextWork[];

  constructor(works: readonly TextWork[]) {
    super(`results of ${works.map(({ job }) => job).join(', ')} are needed`);
    this.works = works;
  }

  async until(results: TextResults, runText: RunText): Promise<void> {
    const made = await Promise.all(this.works.map(runText));
    for (const [i, work] of this.works.entries()) results.add(work, made[i] ?? '');
  }
}

/**
 * Number of characters from which the texts of a job are processed in another thread. A job takes 1 ms for that many of an ordinary text, which
 * is less than the way to a thread and back; 5 to 12 ms for markup alone, 25 ms for block comments alone.
 */
export const HEAVY = 32_768;
/**
 * Differences and the links of comments take longer. An excerpt usually needs only the beginning of a content; a password digest is slow
 * whatever the length; JSON is fast.
 */
const HEAVY_BY_JOB: Partial<Record<TextJob, number>> = {
  differences: 16_384,
  differenceRows: 16_384,
  comment: 16_384,
  excerptOfLength: 65_536,
  secretDigest: 0,
  asciiJson: 65_536,
  json: 1_000_000,
  jsonDigest: 1_000_000,
};

/** Results available to the current work; null: everything runs synchronously. */
let currentRun: TextResults | null = null;

/** What the current answer has cost so far. */
export function presentCost(): Cost {
  return currentRun?.cost ?? new Cost();
}

/** The result of a job. Throws `NeedsTexts` if the texts are long and the result is not available yet. */
export function resultOf(job: TextJob, ...texts: readonly string[]): string {
  const work = { job, texts };
  return isHeavy(work) ? (resultsOf([work])[0] ?? '') : computeHere(work);
}

export function resultsOf(works: readonly TextWork[]): readonly string[] {
  const results = currentRun;
  const found = works.map((work) => results?.get(work));
  const missing = () => works.filter((_, i) => found[i] === undefined);
  if (results?.mayWait === true) requireAll(missing());
  else if (results?.time && missing().some(isHeavy)) results.time.beforeLong();
  return works.map((work, i) => found[i] ?? computeHere(work));
}

/** Computes results in advance, for the decision of the same request. */
export function workAhead(works: readonly TextWork[]): void {
  const results = currentRun;
  if (results === null) return;
  const missing = works.filter((work) => results.get(work) === undefined);
  if (results.mayWait) requireAll(missing);
  for (const work of missing) results.add(work, computeHere(work));
}

function requireAll(missing: readonly TextWork[]): void {
  const heavy = missing.filter(isHeavy);
  if (heavy.length > 0) throw new NeedsTexts(heavy);
}

/** To be called between the pieces of a read: throws when it has to end here. */
export function pieceDone(): void {
  currentRun?.time?.check();
}

/** To be called before a text of this length is rendered: throws if the read has to end here. */
export function beforeText(length: number): void {
  if (length >= HEAVY) currentRun?.time?.beforeLong();
}

export function resumed<A, T>(work: (value: A) => T): (value: A) => T {
  const results = currentRun;
  return results === null ? work : (value) => results.within(() => work(value), false);
}

/** A result that is available to the current work. */
export function knownResult(work: TextWork): string | undefined {
  return currentRun?.get(work);
}

export function computeHere({ job, texts }: TextWork): string {
  return (textJobs[job] as (...texts: readonly string[]) => string)(...texts);
}

export interface WorkOptions {
  /** Whether the work may be abandoned until another thread has processed a text. Default: no. */
  readonly waits?: boolean;
  /** What ends a read; default: it is answered here, however long that takes. */
  readonly time?: ReadLimit | null;
  readonly cost?: Cost;
}

export class TextResults {
  readonly time: ReadLimit | null;
  readonly cost: Cost;
  readonly #initial: Standing;
  readonly #known: (TextWork & { readonly result: string })[] = [];
  /** False: long texts are processed in this thread. */
  readonly #usesWorkers: boolean;
  #mayWait: boolean;

  constructor({ waits = false, time = null, cost = new Cost() }: WorkOptions = {}) {
    this.#usesWorkers = waits;
    this.time = time;
    this.cost = cost;
    this.#initial = cost.standing;
    this.#mayWait = waits;
  }

  /** Whether the current work may be abandoned until another thread has processed a text. */
  get mayWait(): boolean {
    return this.#mayWait;
  }

  /**
   * Runs a decision, which nothing interrupts: it sees what others have not seen yet. With `mayWait` it throws `NeedsTexts` for long texts
   * that it does not find processed; otherwise it processes them itself.
   */
  decide<T>(work: () => T, { mayWait }: { readonly mayWait: boolean }): T {
    this.#mayWait = mayWait && this.#usesWorkers;
    try {
      return this.within(work);
    } finally {
      this.#mayWait = this.#usesWorkers;
    }
  }

  /** Runs synchronous work that uses these results, from its beginning or, after it has waited, from where it was. */
  within<T>(work: () => T, fromBeginning = true): T {
    const before = currentRun;
    currentRun = this;
    if (fromBeginning) this.cost.standing = this.#initial;
    try {
      return work();
    } finally {
      currentRun = before;
    }
  }

  get(work: TextWork): string | undefined {
    return this.#known.find(({ job, texts }) => job === work.job && isSame(texts, work.texts))?.result;
  }

  add({ job, texts }: TextWork, result: string): void {
    this.#known.push({ job, texts, result });
  }
}

/**
 * Runs work whose long texts are processed in another thread. It is abandoned at each missing result and repeated with it, so it must have no
 * side effects when it throws. Without `runText` texts are processed in this thread. Once `isGone`, nothing further is rendered.
 */
export async function withTexts<T>(
  runText: RunText | undefined,
  attempt: (within: <R>(work: () => R) => R) => T | Promise<T>,
  { results = new TextResults({ waits: runText !== undefined }), isGone = never }: Waiting = {},
): Promise<T> {
  for (;;) {
    try {
      return await attempt((work) => results.within(work));
    } catch (error) {
      if (!(error instanceof NeedsTexts)) throw error;
      await error.until(results, runText ?? here);
      if (isGone()) results.cost.end();
    }
  }
}

const here: RunText = async (work) => computeHere(work);

export interface Waiting {
  readonly results?: TextResults;
  /** Whether nobody waits for the result any more. */
  readonly isGone?: (() => boolean) | undefined;
}

const never = () => false;

/** Like `withTexts`, for work that rarely meets a long text and only reads. Throws `Unwanted` when nobody waits any more. */
export function readWithTexts<T>(
  runText: RunText | undefined,
  work: () => T | Promise<T>,
  { results = new TextResults({ waits: runText !== undefined }), isGone = never }: Waiting = {},
): T | Promise<T> {
  const wanted = () => {
    if (isGone()) throw new Unwanted('nobody waits for the answer');
    return results.within(work);
  };
  const again = (error: unknown): Promise<T> => {
    if (!(error instanceof NeedsTexts)) throw error;
    const next = async () => {
      await error.until(results, runText ?? here);
      return withTexts(runText, wanted, { results });
    };
    return next();
  };
  try {
    const done = results.within(work);
    return done instanceof Promise ? done.catch(again) : done;
  } catch (error) {
    return again(error);
  }
}

function isHeavy({ job, texts }: TextWork): boolean {
  return texts.reduce((sum, text) => sum + text.length, 0) >= (HEAVY_BY_JOB[job] ?? HEAVY);
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, i) => text === others[i]);
}
