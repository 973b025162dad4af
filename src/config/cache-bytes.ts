/** Maximum sizes of the caches of answers, in bytes. */
export interface CacheBytes {
  /** Answers and pages, with their compressed forms. */
  readonly answers: number;
  /** Copies of ready answers that were read from their files. */
  readonly readyAnswers: number;
}

/** Shares of `CACHE_BYTES`. An answer in memory saves more than a copy of a ready answer. */
export function sharesOf(bytes: number): CacheBytes {
  const readyAnswers = Math.floor(bytes / 3);
  return { answers: bytes - readyAnswers, readyAnswers };
}
