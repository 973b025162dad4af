import { maxPieces } from '#text/server-blocks.ts';

/** Characters rendered for one response after which further pieces are empty. */
const maxText = 4_000_000;
/** Maximum depth of texts within texts. */
const deepest = 12;

export class Bounds {
  #made = 0;
  #length = 0;
  #depth = 0;

  /** Renders a piece; '' if a limit is reached. */
  made(make: () => string): string {
    this.#made += 1;
    if (this.#made > maxPieces || this.#length > maxText || this.#depth >= deepest) return '';
    this.#depth += 1;
    try {
      const html = make();
      // Outer pieces contain inner ones, so only the outermost are counted.
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
