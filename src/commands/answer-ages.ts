import { answersKept, answersStand } from '#domain/request/state.ts';

/**
 * When answers were given here, by a clock that is never set: after a leap of the log's time they stand as long as they
 * would have without it.
 */
export class AnswerAges {
  readonly #steady: () => number;
  readonly #given = new Map<string, { readonly at: string; readonly since: number }>();

  /** `steady`: milliseconds by a clock that is never set. */
  constructor(steady: () => number) {
    this.#steady = steady;
  }

  /** `at`: time of the commit that is to have the answer. */
  note(key: string, at: string): void {
    this.#given.delete(key);
    const [oldest] = this.#given.keys();
    if (this.#given.size >= answersKept && oldest !== undefined) this.#given.delete(oldest);
    this.#given.set(key, { at, since: this.#steady() });
  }

  /** True if the answer under a key, of a commit of that time, was given here within a day. */
  isYoung(key: string, at: string): boolean {
    const given = this.#given.get(key);
    return given?.at === at && this.#steady() - given.since < answersStand;
  }
}
