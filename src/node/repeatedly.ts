interface Repetition {
  /** Milliseconds. */
  readonly clock: () => number;
  /** Milliseconds from the end of one run to the beginning of the next. */
  readonly pause: number;
}

/** Returns a function that does one step of a long task, which starts over after a pause. After a fault it starts over as well. */
export function repeatedly(begin: () => Iterator<void>, { clock, pause }: Repetition): () => void {
  let steps: Iterator<void> | null = null;
  let next = 0;
  return () => {
    if (steps === null && clock() < next) return;
    const going = steps ?? begin();
    steps = null;
    next = clock() + pause;
    if (!going.next().done) steps = going;
  };
}
