import { nextTurn } from '#process/guard.ts';
import type { Watch } from './cache.ts';
import { sentIn } from './call.ts';
import type { Input } from './input.ts';

/**
 * Pauses a read that has used up its share of the turn: resolves when it may continue, rejects with `ModelMoved` if what it has
 * read is outdated. Null: it may continue at once. A read that starts again from the beginning passes no `watch`.
 */
export type Rest = (watch: Watch | null) => Promise<void> | null;

/** Rejects a read whose parts would belong to different positions. */
class ModelMoved extends Error {
  override readonly name = 'ModelMoved';
}

/** Milliseconds of each turn of the event loop for all long reads together. */
const usualShare = 5;
/** A read of more records than this is long. */
const few = 20;

/** True if a read may take milliseconds: it then waits while other long reads have used up the turn. */
export function isLong(input: Input): boolean {
  if (input.method !== 'GET' && input.method !== 'HEAD') return false;
  if (input.query['_embed'] !== undefined) return true;
  return Number(sentIn(input, 'per_page') ?? 0) > few || sentIn(input, 'search') !== undefined;
}

/** Shares the main thread between long reads and everything else: a read that has used up the turn waits for the next. */
export class LongReads {
  /** Milliseconds of each turn. */
  readonly share: number;
  readonly #waiting: (() => void)[] = [];
  #spent = 0;
  #isScheduled = false;
  readonly #turn = () => {
    this.#isScheduled = false;
    this.#spent = 0;
    this.#waiting.shift()?.();
    if (this.#waiting.length > 0) this.#schedule();
  };

  constructor(share = usualShare) {
    this.share = share;
  }

  /**
   * Carries out a read when its turn comes. It may pause between its parts. If something it depends on changes meanwhile, it starts
   * again and does not pause.
   */
  answer<T>(attempt: (rest: Rest) => T | Promise<T>): T | Promise<T> {
    if (this.#spent < this.share && this.#waiting.length === 0) return this.#begin(attempt);
    return new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    }).then(() => this.#begin(attempt));
  }

  #begin<T>(attempt: (rest: Rest) => T | Promise<T>): T | Promise<T> {
    let since = performance.now();
    const end = () => this.#spend(performance.now() - since);
    const rest: Rest = (watch) => {
      if (performance.now() - since < this.share) return null;
      end();
      return this.#next().then(() => {
        since = performance.now();
        if (watch?.isCurrent() === false) throw new ModelMoved();
      });
    };
    const again = (error: unknown) => {
      if (error instanceof ModelMoved) return attempt(() => null);
      throw error;
    };
    try {
      const answered = attempt(rest);
      if (answered instanceof Promise) return answered.catch(again).finally(end);
      end();
      return answered;
    } catch (error) {
      end();
      throw error;
    }
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.unshift(resolve);
      this.#schedule();
    });
  }

  #spend(milliseconds: number): void {
    this.#spent += milliseconds;
    this.#schedule();
    if (this.#spent < this.share) this.#waiting.shift()?.();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    nextTurn(this.#turn, ignore);
  }
}

function ignore(): void {}
