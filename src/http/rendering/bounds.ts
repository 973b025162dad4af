/** Pieces made for one answer at most; what comes later shows nothing. */
const mostMade = 5000;
/** Characters of what is made for one answer, from which on nothing more is. */
const mostText = 4_000_000;
/** Texts within texts. */
const deepest = 12;

export class Bounds {
  #made = 0;
  #length = 0;
  #depth = 0;

  /** Makes a piece; '' where no more may be made. */
  made(make: () => string): string {
    this.#made += 1;
    if (this.#made > mostMade || this.#length > mostText || this.#depth >= deepest) return '';
    this.#depth += 1;
    try {
      const html = make();
      // What is made within a piece is part of it.
      if (this.#depth === 1) this.#length += html.length;
      return html;
    } finally {
      this.#depth -= 1;
    }
  }

  get standing(): readonly [made: number, length: number] {
    return [this.#made, this.#length];
  }

  set standing([made, length]: readonly [made: number, length: number]) {
    this.#made = made;
    this.#length = length;
  }
}
