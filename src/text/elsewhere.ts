import { type TextJob, textJobs } from './jobs.ts';
import { asciiJson } from './json.ts';

export interface TextWork {
  readonly job: TextJob;
  readonly texts: readonly string[];
}

export interface Elsewhere {
  (work: TextWork): Promise<string>;
  /** The items of a feed of another site, as JSON; null when it cannot be had. */
  readonly feed?: (address: string) => Promise<string | null>;
}

/** Thrown by work that cannot go on yet: it is given up, and done again once something is there. */
export class Postponed extends Error {
  override readonly name: string = 'Postponed';
  readonly until: (results: TextResults, elsewhere: Elsewhere) => Promise<void>;

  constructor(reason: string, until: Postponed['until']) {
    super(reason);
    this.until = until;
  }
}

export class NeedsTexts extends Postponed {
  override readonly name = 'NeedsTexts';
  readonly works: readonly TextWork[];

  constructor(works: readonly TextWork[]) {
    super(`results of ${works.map(({ job }) => job).join(', ')} are needed`, async (results, elsewhere) => {
      const made = await Promise.all(works.map(elsewhere));
      for (const [i, work] of works.entries()) results.add(work, made[i] ?? '');
    });
    this.works = works;
  }
}

/** Characters from which work is done elsewhere: the slowest of it takes 10 ms for as many. */
const HEAVY = 16_384;
/** Of most contents only the beginning is looked at; a password is never short. */
const HEAVY_BY_JOB: Partial<Record<TextJob, number>> = { excerptOfLength: 65_536, secretDigest: 0 };

/** Milliseconds that new steps take before others get a turn. */
const SHARE = 10;
/** How often a step may find that everything has changed meanwhile, before it is done in one go. */
const PATIENCE = 3;

/** Results that the work under way has so far; null: everything is done on the spot. */
let present: TextResults | null = null;

/** What a job makes of texts. Throws `NeedsTexts` where they are long and it is not known yet. */
export function worked(job: TextJob, ...texts: readonly string[]): string {
  const work = { job, texts };
  if (present?.worksElsewhere !== true || !isHeavy(work)) return onTheSpot(work);
  return workedAll([work])[0] ?? '';
}

export function workedAll(works: readonly TextWork[]): readonly string[] {
  const results = present;
  if (results?.worksElsewhere !== true || !works.some(isHeavy)) return works.map(onTheSpot);
  const found = works.map((work) => (isHeavy(work) ? results.get(work) : null));
  const missing = works.filter((work, i) => isHeavy(work) && found[i] === undefined);
  if (missing.length > 0) throw new NeedsTexts(missing);
  return works.map((work, i) => found[i] ?? onTheSpot(work));
}

/** What is asked for. Throws `Postponed` where that takes its time; `key` tells it from all else that the work asks for. */
export function awaited<T>(key: string, ask: () => T | Promise<T>): T {
  const results = present;
  const known = results?.values.get(key);
  if (known !== undefined) return (known as { readonly value: T }).value;
  const answer = ask();
  if (!(answer instanceof Promise)) return answer;
  if (results === null) throw new Error('nobody waits for what this work needs');
  throw new Postponed(`${key} is needed`, async () => {
    results.values.set(key, { value: await answer });
  });
}

/** What is found out once for a request, however often its work is done; `key` tells it from all else. */
export function once<T>(key: string, find: () => T): T {
  const known = present?.values.get(key);
  if (known !== undefined) return (known as { readonly value: T }).value;
  const value = find();
  present?.values.set(key, { value });
  return value;
}

/** The same for what may take long: when such work has taken its share of the turn, the next of it throws `Postponed`. */
export function onceInTurn<T>(key: string, find: () => T): T {
  const results = present;
  return once(key, () => (results === null ? find() : results.inTurn(find)));
}

/** Feeds that are asked for on behalf of one request. */
const MOST_FEEDS = 5;

/** The items of a feed, as JSON; null when it cannot be had, or nobody waits for it. */
export function feedAt(address: string): string | null {
  const results = present;
  if (results === null) return null;
  const key = `feed ${address}`;
  const known = results.values.get(key);
  if (known !== undefined) return (known as { readonly value: string | null }).value;
  if (
    results.values
      .keys()
      .filter((one) => one.startsWith('feed '))
      .toArray().length >= MOST_FEEDS
  )
    return null;
  throw new Postponed(`${key} is needed`, async (_, { feed }) => {
    results.values.set(key, { value: (await feed?.(address)) ?? null });
  });
}

/**
 * One step of long work that is done again when it is interrupted: what a step has made is known then. When steps have
 * taken their share of the turn, the next throws `Postponed`. `check` stands for all that the step depends on.
 */
export function step<T>(check: string, make: () => T): T {
  return present === null ? make() : present.step(check, make);
}

/** Whether work on a text of this length would be done elsewhere. */
export function isLongText(length: number): boolean {
  return present?.worksElsewhere === true && length >= HEAVY;
}

export function resumed<A, T>(work: (value: A) => T): (value: A) => T {
  const results = present;
  return results === null ? work : (value) => results.within(() => work(value));
}

export function jsonOf(text: string): string {
  return worked('json', text);
}

export function asciiJsonOf(text: string): string {
  return text.length < HEAVY ? asciiJson(text) : worked(asciiJobOf(text), text);
}

/** What makes both of these of a long text, to be done elsewhere together with other work on it; of a short one nothing. */
export function jsonWorks(text: string): readonly TextWork[] {
  if (!isLongText(text.length)) return [];
  return [...new Set<TextJob>(['json', asciiJobOf(text)])].map((job) => ({ job, texts: [text] }));
}

/** Of a text in ASCII both are the same, and need not be made twice. */
function asciiJobOf(text: string): TextJob {
  return text.length >= HEAVY && Buffer.byteLength(text) === text.length ? 'json' : 'asciiJson';
}

export function onTheSpot({ job, texts }: TextWork): string {
  return (textJobs[job] as (...texts: readonly string[]) => string)(...texts);
}

interface Step {
  readonly check: string;
  readonly value: unknown;
  readonly next: number;
}

export class TextResults {
  /** False: long texts are worked on here. */
  readonly worksElsewhere: boolean;
  readonly values = new Map<string, unknown>();
  readonly #known: (TextWork & { readonly result: string })[] = [];
  readonly #steps = new Map<number, Step>();
  #step = 0;
  #begun = 0;
  #since = 0;
  #made = 0;
  #patience = PATIENCE;

  constructor(worksElsewhere = true) {
    this.worksElsewhere = worksElsewhere;
  }

  /** Does work, without a pause, that finds its long texts here. */
  within<T>(work: () => T): T {
    const before = present;
    present = this;
    this.#step = 0;
    this.#begun = performance.now();
    this.#made = 0;
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

  step<T>(check: string, make: () => T): T {
    const number = this.#step++;
    const known = this.#steps.get(number);
    if (known?.check === check) {
      this.#step = known.next;
      return known.value as T;
    }
    if (known !== undefined) this.#patience--;
    const value = this.inTurn(make);
    this.#steps.set(number, { check, value, next: this.#step });
    return value;
  }

  inTurn<T>(make: () => T): T {
    if (this.#made === 0) this.#since = performance.now();
    else if (this.#patience > 0 && this.#isOver()) throw new Postponed('others have a turn', turn);
    const value = make();
    this.#made += 1;
    return value;
  }

  #isOver(): boolean {
    const now = performance.now();
    return now - this.#since > Math.max(SHARE, this.#since - this.#begun);
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Does work whose long texts are worked on elsewhere: when it comes to one, it is given up and done again with the result.
 * So it must leave nothing behind when it throws. Without `elsewhere` texts are worked on here.
 */
export async function withTexts<T>(
  elsewhere: Elsewhere | undefined,
  attempt: (within: <R>(work: () => R) => R) => T | Promise<T>,
  results = new TextResults(elsewhere !== undefined),
): Promise<T> {
  for (;;) {
    try {
      return await attempt((work) => results.within(work));
    } catch (error) {
      if (!(error instanceof Postponed)) throw error;
      await error.until(results, elsewhere ?? here);
    }
  }
}

const here: Elsewhere = async (work) => onTheSpot(work);

/** The same for work that seldom comes to a long text, and then only reads. */
export function readWithTexts<T>(
  elsewhere: Elsewhere | undefined,
  work: () => T | Promise<T>,
  results = new TextResults(elsewhere !== undefined),
): T | Promise<T> {
  const again = (error: unknown): Promise<T> => {
    if (!(error instanceof Postponed)) throw error;
    const next = async () => {
      await error.until(results, elsewhere ?? here);
      return withTexts(elsewhere, (within) => within(work), results);
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
