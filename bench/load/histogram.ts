/** Latencies in buckets 1.6 % wide: small, fast, and exact to two digits at every magnitude. */
export interface Histogram {
  readonly count: number;
  /** Milliseconds. */
  readonly max: number;
  record(milliseconds: number): void;
  /** The quantile of the latencies for `share` (0 to 1), milliseconds. */
  quantile(share: number): number;
}

const perOctave = 64;
const octaves = 30;

export function histogram(): Histogram {
  const buckets = new Uint32Array(perOctave * octaves);
  let count = 0;
  let max = 0;
  return {
    get count() {
      return count;
    },
    get max() {
      return max;
    },
    record(milliseconds) {
      const index = Math.min(buckets.length - 1, Math.floor(Math.log2(milliseconds * 1000 + 1) * perOctave));
      buckets[index]! += 1;
      count += 1;
      if (milliseconds > max) max = milliseconds;
    },
    quantile(share) {
      let left = Math.ceil(count * share);
      for (let index = 0; index < buckets.length; index++) {
        left -= buckets[index]!;
        if (left <= 0) return count === 0 ? 0 : Math.min(max, (2 ** ((index + 1) / perOctave) - 1) / 1000);
      }
      return max;
    },
  };
}
