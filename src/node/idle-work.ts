export interface IdleWork {
  /** Does a small piece; false when there is none left. */
  readonly work: () => boolean;
  /** Commits come in: other work has the processor first. */
  readonly isBusy: () => boolean;
  readonly onError: (error: unknown) => void;
  /** How much longer the pause after a piece is than the piece, also when nobody writes. Default: 0, pauses are short. */
  readonly restsFor?: number;
}

/** Does small pieces of work between requests, less of it beside writes, and looks now and then for new ones. */
export function startIdleWork({ work, isBusy, onError, restsFor = 0 }: IdleWork): () => void {
  let timer: NodeJS.Timeout;
  const step = (): void => {
    let more = false;
    const begin = performance.now();
    try {
      more = work();
    } catch (error) {
      onError(error);
    }
    const took = performance.now() - begin;
    const pause = isBusy() ? Math.max(20, took * 10) : Math.max(5, took * restsFor);
    timer = setTimeout(step, more ? pause : 250).unref();
  };
  timer = setTimeout(step, 50).unref();
  return () => clearTimeout(timer);
}
