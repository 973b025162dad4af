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
export const most = 4_000_000;
/** Characters of a stored text that are read in the time in which one is made. */
const readAtOnce = 8;

export function costOfText({ length }: { readonly length: number }): number {
  return Math.ceil(length / readAtOnce);
}

export interface Standing {
  readonly spent: number;
  readonly forgiven: number;
  readonly isCut: boolean;
}

export const unspent: Standing = { spent: 0, forgiven: 0, isCut: false };

/** What rendering an answer has cost so far. Depends on what is rendered alone, so that equal requests have equal answers. */
export class Cost {
  #standing: Standing;

  constructor(standing: Standing = unspent) {
    this.#standing = standing;
  }

  get isCut(): boolean {
    return this.#standing.isCut;
  }

  add(units: number): void {
    this.#standing = { ...this.#standing, spent: this.#standing.spent + units };
  }

  /** Takes units, if there are enough left. Otherwise what they are for is left out. */
  takes(units: number): boolean {
    const isThere = this.#standing.spent + units <= most;
    if (isThere) this.add(units);
    else this.leaveOut();
    return isThere;
  }

  leaveOut(): void {
    this.#standing = { ...this.#standing, isCut: true };
  }

  /** Takes back what was spent since on a text that is not shown, once as much as an answer may cost. */
  forgive(since: Standing): void {
    const { spent, forgiven } = this.#standing;
    const back = Math.min(spent - since.spent, most - forgiven);
    this.#standing = { spent: spent - back, forgiven: forgiven + back, isCut: since.isCut };
  }

  get standing(): Standing {
    return this.#standing;
  }

  set standing(standing: Standing) {
    this.#standing = standing;
  }
}

let current: Cost | null = null;

/** What the answer that is being made has cost so far. */
export function presentCost(): Cost {
  return current ?? new Cost();
}

/** Does synchronous work on an answer, which adds to its cost. */
export function withCost<T>(cost: Cost, work: () => T): T {
  const before = current;
  current = cost;
  try {
    return work();
  } finally {
    current = before;
  }
}
