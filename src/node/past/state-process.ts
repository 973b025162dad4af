import { type ChildProcess, fork } from 'node:child_process';
import type { Question, Reply } from './messages.ts';

export interface StatePaths {
  readonly logPath: string;
  /** Folder of the kept states. */
  readonly directory: string;
  /** Projections of the present. */
  readonly present: string;
}

type Value = Exclude<Reply['value'], null>;

const script = new URL('./state.ts', import.meta.url);

/** A process that has the site as it stood at a position. Questions wait until it has. */
export class StateProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (value: Value | null) => void>();
  readonly #kill = (): void => this.stop();
  #asked = 0;
  /** Whether it has been put together. */
  isReady = false;
  /** Resolves when it has gone. */
  readonly gone: Promise<void>;

  /** `onEnd` is called when it has gone, for whatever reason. */
  constructor({ logPath, directory, present }: StatePaths, position: number, onEnd: () => void) {
    const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as const;
    this.#child = fork(script, [logPath, directory, present, String(position)], {
      stdio: [...stdio],
      serialization: 'advanced',
    });
    process.once('exit', this.#kill);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.gone = promise;
    const end = () => {
      process.off('exit', this.#kill);
      for (const answer of this.#waiting.values()) answer(null);
      this.#waiting.clear();
      resolve();
      onEnd();
    };
    this.#child.once('error', end);
    this.#child.once('exit', end);
    this.#child.on('message', (reply) => this.#take(reply as Reply));
  }

  /** Questions that have not been answered yet. */
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
      this.#child.send({ id, ...question } satisfies Question, (error) => {
        if (error !== null) answer(null);
      });
    });
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }

  #take({ id, value }: Reply): void {
    if (id === 0) this.isReady = true;
    else this.#waiting.get(id)?.(value as Value);
  }
}
