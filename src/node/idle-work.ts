export interface IdleWork {
  /** Does a small piece; false when there is none left. */
  readonly work: () => boolean;
  /** Commits come in: other work has the processor first. */
  readonly isBusy: () => boolean;
  readonly onError: (error: unknown) => void;
}

/** Does small pieces of work between requests, less of it beside writes, and looks now and then for new ones. */
export function startIdleWork({ work, isBusy, onError }: IdleWork): () => void {
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
    const pause = isBusy() ? Math.max(20, took * 10) : 5;
    timer = setTimeout(step, more ? pause : 250).unref();
  };
  timer = setTimeout(step, 50).unref();
  return () => clearTimeout(timer);
}
