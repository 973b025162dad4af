import { type TextJob, textJobs } from './jobs.ts';

/** A piece of work on texts. */
export interface TextWork {
  readonly job: TextJob;
  readonly texts: readonly string[];
}

/** Does a piece of work in another thread. */
export type Elsewhere = (work: TextWork) => Promise<string>;

/** Thrown by work that needs results which are still to be made elsewhere. */
export class NeedsTexts extends Error {
  override readonly name = 'NeedsTexts';
  readonly works: readonly TextWork[];

  constructor(works: readonly TextWork[]) {
    super(`results of ${works.map(({ job }) => job).join(', ')} are needed`);
    this.works = works;
  }
}

/** Characters from which work is done elsewhere: the slowest of it takes 10 ms for as many. */
const HEAVY = 16_384;
/** Of most contents only the beginning is looked at; a password is never short. */
const HEAVY_BY_JOB: Partial<Record<TextJob, number>> = { excerptOfLength: 65_536, secretDigest: 0 };

/** Results that the work under way has so far; null: everything is done on the spot. */
let present: TextResults | null = null;

/** What a job makes of texts. Throws `NeedsTexts` where they are long and it is not known yet. */
export function worked(job: TextJob, ...texts: readonly string[]): string {
  return workedAll([{ job, texts }])[0] ?? '';
}

/** The same for several jobs, which are then done at the same time. */
export function workedAll(works: readonly TextWork[]): readonly string[] {
  const results = present;
  if (results === null || !works.some(isHeavy)) return works.map(onTheSpot);
  const found = works.map((work) => (isHeavy(work) ? results.get(work) : null));
  const missing = works.filter((work, i) => isHeavy(work) && found[i] === undefined);
  if (missing.length > 0) throw new NeedsTexts(missing);
  return works.map((work, i) => found[i] ?? onTheSpot(work));
}

export function onTheSpot({ job, texts }: TextWork): string {
  return (textJobs[job] as (...texts: readonly string[]) => string)(...texts);
}

/** Long texts that have been worked on for one request. */
export class TextResults {
  readonly #known: (TextWork & { readonly result: string })[] = [];

  /** Does work, without a pause, that finds its long texts here. */
  within<T>(work: () => T): T {
    const before = present;
    present = this;
    try {
      return work();
    } finally {
      present = before;
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
 * Does work whose long texts are worked on elsewhere: when it comes to one, it is given up and done again with the result.
 * So it must leave nothing behind when it throws. Without `elsewhere` everything is done on the spot.
 */
export async function withTexts<T>(
  elsewhere: Elsewhere | undefined,
  attempt: (within: <R>(work: () => R) => R) => T | Promise<T>,
): Promise<T> {
  if (elsewhere === undefined) return attempt((work) => work());
  const results = new TextResults();
  for (;;) {
    try {
      return await attempt((work) => results.within(work));
    } catch (error) {
      if (!(error instanceof NeedsTexts)) throw error;
      const made = await Promise.all(error.works.map(elsewhere));
      for (const [i, work] of error.works.entries()) results.add(work, made[i] ?? '');
    }
  }
}

/** The same for work that seldom comes to a long text, and then only reads. */
export function readWithTexts<T>(elsewhere: Elsewhere | undefined, work: () => T | Promise<T>): T | Promise<T> {
  if (elsewhere === undefined) return work();
  try {
    return new TextResults().within(work);
  } catch (error) {
    if (!(error instanceof NeedsTexts)) throw error;
    return withTexts(elsewhere, (within) => within(work));
  }
}

function isHeavy({ job, texts }: TextWork): boolean {
  return texts.reduce((sum, text) => sum + text.length, 0) >= (HEAVY_BY_JOB[job] ?? HEAVY);
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((text, i) => text === others[i]);
}
