/** Sizes of pooled buffers in bytes; larger ones are allocated per use. */
const sizes = [1 << 13, 1 << 16, 1 << 18];
/** Maximum number of buffers kept of each size: about five megabytes. */
const max = [64, 32, 8];

/**
 * Lends buffers, which are returned when their content has been sent. A new buffer for each answer is memory outside the heap and keeps
 * the garbage collector running: that took a third of the time of reading random pages.
 */
export class BufferPool {
  readonly #free: readonly Buffer[][] = sizes.map(() => []);

  /** Returns a buffer of that size with arbitrary content. `release` returns it to the pool; without that it is merely garbage. */
  lend(size: number): { readonly bytes: Buffer; readonly release: () => void } {
    const place = sizes.findIndex((each) => size <= each);
    const free = this.#free[place];
    if (free === undefined) return { bytes: Buffer.allocUnsafeSlow(size), release: () => undefined };
    const whole = free.pop() ?? Buffer.allocUnsafeSlow(sizes[place]!);
    let isLent = true;
    const release = () => {
      if (isLent && free.length < max[place]!) free.push(whole);
      isLent = false;
    };
    return { bytes: whole.subarray(0, size), release };
  }
}
