/** What a request can wait for: a position to be applied, its body, its turn to write and the disk, or the changes it asked for. */
export type WaitedFor = 'position' | 'body' | 'write' | 'changes';

export class Waits {
  #ms: Partial<Record<WaitedFor, number>> | null = null;

  /** Milliseconds by what was waited for, rounded; null if there was no wait. */
  get all(): Readonly<Partial<Record<WaitedFor, number>>> | null {
    return this.#ms;
  }

  async during<T>(what: WaitedFor, work: Promise<T>): Promise<T> {
    const began = performance.now();
    try {
      return await work;
    } finally {
      this.#ms ??= {};
      this.#ms[what] = (this.#ms[what] ?? 0) + Math.round(performance.now() - began);
    }
  }
}
