import { type TextJob, textJobs } from './jobs.ts';
import { secretDigestLater } from './secret.ts';

/** A job and the texts it is done for. */
export interface TextWork {
  readonly job: TextJob;
  readonly texts: readonly string[];
}

/** Does jobs in other threads. The results are in the order of the works. */
export type ComputeTexts = (works: readonly TextWork[]) => Promise<readonly string[]>;

/** Characters from which a job is slow: it takes 1 ms for that many of an ordinary text, 25 ms if the text is nothing but markup. */
export const LONG = 32_768;

/** What the decision under way finds prepared. */
let current: PreparedTexts | null = null;

/** The result of a job: the prepared one, or else it is done here and now. */
export function resultOf(job: TextJob, ...texts: readonly string[]): string {
  return current?.find({ job, texts }) ?? compute({ job, texts });
}

export function compute({ job, texts }: TextWork): string {
  return (textJobs[job] as (...texts: readonly string[]) => string)(...texts);
}

function isSecret({ job }: TextWork): boolean {
  return job === 'secretDigest';
}

export function isSlow({ job, texts }: TextWork): boolean {
  return job === 'secretDigest' || texts.reduce((sum, text) => sum + text.length, 0) >= LONG;
}

/** The results of slow jobs for the texts of one write, done before it waits for its turn. */
export class PreparedTexts {
  readonly #compute: ComputeTexts;
  readonly #results: (TextWork & { readonly result: string })[] = [];

  constructor(computeTexts: ComputeTexts = async (works) => works.map(compute)) {
    this.#compute = computeTexts;
  }

  /** Does those of some jobs that are slow. */
  async prepare(works: readonly TextWork[]): Promise<void> {
    const slow = works.filter((work) => isSlow(work) && this.find(work) === undefined);
    if (slow.length === 0) return;
    const [secrets, texts] = [slow.filter(isSecret), slow.filter((work) => !isSecret(work))];
    const digests = Promise.all(
      secrets.map(({ texts: [password = '', salt = ''] }) => secretDigestLater(password, salt)),
    );
    const results = [...(await digests), ...(texts.length === 0 ? [] : await this.#compute(texts))];
    this.#results.push(...[...secrets, ...texts].map((work, i) => ({ ...work, result: results[i] ?? '' })));
  }

  /** Does synchronous work that uses the results. */
  during<T>(work: () => T): T {
    const before = current;
    current = this;
    try {
      return work();
    } finally {
      current = before;
    }
  }

  find({ job, texts }: TextWork): string | undefined {
    return this.#results.find((one) => one.job === job && one.texts.every((text, i) => text === texts[i]))?.result;
  }
}
