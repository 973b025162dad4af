/** Sizes of what is lent, in bytes; anything larger is made for once. */
const sizes = [1 << 13, 1 << 16, 1 << 18];
/** Buffers of each size that are kept: about five megabytes. */
const most = [64, 32, 8];

/**
 * Lends buffers, to be given back when what is in them was sent. A new one for each answer would be memory outside of
 * the heap, which makes the collector run all the time: it took a third of the time of reading pages at random.
 */
export class BufferPool {
  readonly #free: readonly Buffer[][] = sizes.map(() => []);

  /** A buffer of that size with anything in it. `release` gives it back; without that it is lost, and nothing else. */
  lend(size: number): { readonly bytes: Buffer; readonly release: () => void } {
    const place = sizes.findIndex((each) => size <= each);
    const free = this.#free[place];
    if (free === undefined) return { bytes: Buffer.allocUnsafeSlow(size), release: () => undefined };
    const whole = free.pop() ?? Buffer.allocUnsafeSlow(sizes[place]!);
    let isLent = true;
    const release = () => {
      if (isLent && free.length < most[place]!) free.push(whole);
      isLent = false;
    };
    return { bytes: whole.subarray(0, size), release };
  }
}
