import { setImmediate as turn } from 'node:timers/promises';
import { detach } from '#process/guard.ts';
import type { Watch } from './cache.ts';
import { sentIn } from './call.ts';
import type { Input } from './input.ts';

/**
 * Ends a stretch of work that has taken its share of the turn: resolves when the read may continue, rejects with
 * `ModelMoved` when what it has read so far is no longer true. Null: it may continue at once. A read that is done again from the
 * beginning gives no `watch`.
 */
export type Rest = (watch: Watch | null) => Promise<void> | null;

/** Thrown into a read whose parts would belong to different positions. */
class ModelMoved extends Error {
  override readonly name = 'ModelMoved';
}

/** Milliseconds that long reads together take of one turn of the event loop. */
const usualShare = 5;
/** Records in an answer that count as few. */
const few = 20;

/** True if a read may take milliseconds: then it waits while others like it have used up the turn. */
export function isLong(input: Input): boolean {
  if (input.method !== 'GET' && input.method !== 'HEAD') return false;
  if (input.query['_embed'] !== undefined) return true;
  return Number(sentIn(input, 'per_page') ?? 0) > few || sentIn(input, 'search') !== undefined;
}

/** Shares the main thread between long reads and everything else: a read that has used up the turn waits for the next. */
export class LongReads {
  /** Milliseconds of one turn. */
  readonly share: number;
  readonly #waiting: (() => void)[] = [];
  #spent = 0;
  #isScheduled = false;

  constructor(share = usualShare) {
    this.share = share;
  }

  /**
   * Answers a read when it is its turn. It may rest between parts. When something that it depends on changes meanwhile,
   * it is done again, in one go.
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
    detach(
      async () => {
        await turn();
        this.#isScheduled = false;
        this.#spent = 0;
        this.#waiting.shift()?.();
        if (this.#waiting.length > 0) this.#schedule();
      },
      () => undefined,
    );
  }
}
