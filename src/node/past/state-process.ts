import { type Child, startChild } from '#process/child.ts';
import type { PastReply, Question } from './messages.ts';

export interface StatePaths {
  readonly logPath: string;
  readonly directory: string;
  readonly present: string;
}

type Value = Exclude<PastReply['value'], null>;

const script = new URL('./state.ts', import.meta.url);

/** A child process that holds the site as of a position. Questions wait until it is ready. */
export class StateProcess {
  readonly #child: Child;
  readonly #waiting = new Map<number, (value: Value | null) => void>();
  #asked = 0;
  isReady = false;
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>;

  /** `onEnd` is called when the process has ended, for whatever reason. */
  constructor({ logPath, directory, present }: StatePaths, position: number, onEnd: () => void) {
    this.#child = startChild(script, {
      args: [logPath, directory, present, String(position)],
      structured: true,
      onMessage: (reply) => this.#take(reply as PastReply),
    });
    this.gone = this.#child.ended.then(() => {
      for (const answer of this.#waiting.values()) answer(null);
      this.#waiting.clear();
      onEnd();
    });
  }

  get load(): number {
    return this.#waiting.size;
  }

  /** Returns the answer; null if the process has ended or takes longer than `timeout` milliseconds. */
  ask(question: Omit<Question, 'id'>, timeout: number): Promise<Value | null> {
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve) => {
      const timer = setTimeout(() => answer(null), timeout);
      const answer = (value: Value | null) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(value);
      };
      this.#waiting.set(id, answer);
      void this.#child.send({ id, ...question } satisfies Question).then((isSent) => {
        if (!isSent) answer(null);
      });
    });
  }

  stop(): void {
    this.#child.stop();
  }

  #take({ id, value }: PastReply): void {
    if (id === 0) this.isReady = true;
    else this.#waiting.get(id)?.(value as Value);
  }
}
