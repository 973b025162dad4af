/** What the parts of an answer cost besides their characters, in units: the time that one character of markup takes. */
export const prices = {
  /** A block, shortcode or embedded address that the server renders. */
  piece: 800,
  /** An entry, comment, term or file that is read. */
  row: 100,
  term: 20,
  query: 2000,
  search: 40_000,
} as const;

/** Maximum units of one answer: about a second of work, and as many characters. */
const most = 4_000_000;
/** Characters of a stored text that are read in the time in which one is made. */
const readAtOnce = 8;

/** Maximum number of pieces that are rendered for one answer; further ones are left out. */
export const maxPieces = most / prices.piece;

export function costOfText({ length }: { readonly length: number }): number {
  return Math.ceil(length / readAtOnce);
}

export interface Standing {
  readonly spent: number;
  readonly isCut: boolean;
}

export const unspent: Standing = { spent: 0, isCut: false };

/** What rendering an answer has cost so far. Depends on what is rendered alone, so that equal requests have equal answers. */
export class Cost {
  #spent: number;
  #isCut: boolean;
  #isEnded = false;

  constructor({ spent, isCut }: Standing = unspent) {
    this.#spent = spent;
    this.#isCut = isCut;
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  /** Takes what must not be left out. */
  add(units: number): void {
    this.#spent += units;
  }

  /** Takes units, if there are enough left. Otherwise what they are for is left out. */
  takes(units: number): boolean {
    if (this.#isEnded || this.#spent + units > most) {
      this.#isCut = true;
      return false;
    }
    this.#spent += units;
    return true;
  }

  /** Leaves out everything further, because nobody waits for it. */
  end(): void {
    this.#isEnded = true;
  }

  leaveOut(): void {
    this.#isCut = true;
  }

  get standing(): Standing {
    return { spent: this.#spent, isCut: this.#isCut };
  }

  set standing({ spent, isCut }: Standing) {
    this.#spent = spent;
    this.#isCut = isCut;
  }
}
