/** Number of additions whose order is remembered. */
const remembered = 1024;

/** Ids that wait for work. The newest are taken first, because their rows are still in memory. */
export class Due {
  readonly #ids = new Set<number>();
  readonly #latest: number[] = [];

  get size(): number {
    return this.#ids.size;
  }

  [Symbol.iterator](): Iterator<number> {
    return this.#ids.values();
  }

  has(id: number): boolean {
    return this.#ids.has(id);
  }

  add(id: number): void {
    this.#ids.add(id);
    if (this.#latest.push(id) > 2 * remembered) this.#latest.splice(0, remembered);
  }

  delete(id: number): void {
    this.#ids.delete(id);
  }

  /** Up to `count` ids, which stay until they are deleted; none if nothing waits. */
  next(count: number): number[] {
    const latest = new Set(this.#latest.splice(-count).filter((id) => this.#ids.has(id)));
    return latest.size > 0 ? [...latest] : this.#ids.values().take(count).toArray();
  }
}
