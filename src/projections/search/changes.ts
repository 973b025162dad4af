/** Minimum number of changes remembered. */
const max = 4096;

export class IndexChanges {
  #ords: number[] = [];
  #before = 0;

  get count(): number {
    return this.#before + this.#ords.length;
  }

  add(ord: number): void {
    if (this.#ords.length === 2 * max) this.#before += this.#ords.splice(0, max).length;
    this.#ords.push(ord);
  }

  /** The changes after the first `count`; null if they are no longer known. */
  since(count: number): readonly number[] | null {
    return count < this.#before ? null : this.#ords.slice(count - this.#before);
  }
}
