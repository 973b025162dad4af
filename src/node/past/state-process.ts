import { type Child, startChild } from '#process/child.ts';
import type { Question, Reply } from './messages.ts';

export interface StatePaths {
  readonly logPath: string;
  readonly directory: string;
  readonly present: string;
}

type Value = Exclude<Reply['value'], null>;

const script = new URL('./state.ts', import.meta.url);

/** A process that has the site as it stood at a position. Questions wait until it has. */
export class StateProcess {
  readonly #child: Child;
  readonly #waiting = new Map<number, (value: Value | null) => void>();
  #asked = 0;
  isReady = false;
  /** Resolves when it has gone. */
  readonly gone: Promise<void>;

  /** `onEnd` is called when it has gone, for whatever reason. */
  constructor({ logPath, directory, present }: StatePaths, position: number, onEnd: () => void) {
    this.#child = startChild(script, {
      args: [logPath, directory, present, String(position)],
      structured: true,
      onMessage: (reply) => this.#take(reply as Reply),
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

  /** The answer; null if the process has ended or takes longer than the given milliseconds. */
  ask(question: Omit<Question, 'id'>, patience: number): Promise<Value | null> {
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve) => {
      const timer = setTimeout(() => answer(null), patience);
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

  #take({ id, value }: Reply): void {
    if (id === 0) this.isReady = true;
    else this.#waiting.get(id)?.(value as Value);
  }
}
