/** Characters from which a list counts as long. */
const LONG = 1 << 20;

/** The room that a list takes while it is made. */
export interface Room {
  /** Whether a list of so many characters can be made. */
  readonly hold: (length: number) => boolean;
  readonly release: () => void;
}

/** Bounds the characters of all long lists that are being made at the same time. A single one always has room. */
export class Making {
  readonly #limit: number;
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  begin(): Room {
    let held = 0;
    return {
      hold: (length) => {
        if (length < LONG || length <= held) return true;
        const others = this.#size - held;
        if (others > 0 && others + length > this.#limit) return false;
        this.#size = others + length;
        held = length;
        return true;
      },
      release: () => {
        this.#size -= held;
        held = 0;
      },
    };
  }
}
