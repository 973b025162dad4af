import { answersKept, answersStand } from '#domain/request/events.ts';

/**
 * Remembers when this node gave its kept answers, by a monotonic clock. They remain valid for their full time even when the time of the
 * log has jumped.
 */
export class AnswerAges {
  readonly #monotonic: () => number;
  readonly #given = new Map<string, { readonly at: string; readonly since: number }>();

  /** `monotonic`: monotonic clock, milliseconds. */
  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
  }

  /** `at`: time of the commit that will contain the answer. */
  note(key: string, at: string): void {
    this.#given.delete(key);
    const [oldest] = this.#given.keys();
    if (this.#given.size >= answersKept && oldest !== undefined) this.#given.delete(oldest);
    this.#given.set(key, { at, since: this.#monotonic() });
  }

  /** True if this node gave the answer under this key, in a commit of that time, less than a day ago. */
  isYoung(key: string, at: string): boolean {
    const given = this.#given.get(key);
    return given?.at === at && this.#monotonic() - given.since < answersStand;
  }
}
