/** Maps ids to integers from 0. Ids are consecutive, so an array takes a tenth of the memory of a `Map`. */
export class IdMap {
  /** One more than the number; 0: none. */
  #numbers = new Int32Array(1024);

  get(id: number): number | undefined {
    const number = this.#numbers[id];
    return number ? number - 1 : undefined;
  }

  set(id: number, number: number): void {
    if (id >= this.#numbers.length) {
      const grown = new Int32Array(Math.ceil((id + 1) * 1.25));
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers[id] = number + 1;
  }

  delete(id: number): void {
    // Beyond the end this does nothing.
    this.#numbers[id] = 0;
  }

  clear(): void {
    this.#numbers.fill(0);
  }

  *values(): Generator<number> {
    for (const number of this.#numbers) if (number > 0) yield number - 1;
  }
}
