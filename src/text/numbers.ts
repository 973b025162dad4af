/** How often each counter has been used, by its name. */
export type Counts = Readonly<Record<string, number>>;

/**
 * The numbers that texts get while they are rendered (interface behaviour, section 25). Each counter begins at 1; all
 * texts of a request share one of these.
 */
export class Numbers {
  #counts: Record<string, number> = {};

  next(counter: string): number {
    const number = (this.#counts[counter] ?? 0) + 1;
    this.#counts[counter] = number;
    return number;
  }

  /** The id itself where it is new, then the id with a number. */
  distinct(id: string): string {
    const number = this.next(`id ${id}`);
    return number === 1 ? id : `${id}-${number}`;
  }

  counts(): Counts {
    return { ...this.#counts };
  }

  /** Goes on from where counters stood. */
  set(counts: Counts): void {
    this.#counts = { ...counts };
  }

  /** Takes numbers that were given elsewhere as given here. */
  add(counts: Counts): void {
    for (const [name, count] of Object.entries(counts)) this.#counts[name] = (this.#counts[name] ?? 0) + count;
  }
}
