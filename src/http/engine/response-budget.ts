/** Characters from which a list counts as long. */
const LONG = 1 << 20;

/** The room that a list takes while it is made. */
export interface AnswerRoom {
  /** Whether a list of this many characters can be made. */
  hold(length: number): boolean;
}

interface Total {
  readonly limit: number;
  size: number;
}

/** Bounds the characters of all long lists that are being made at the same time. A single one always has room. */
export class ResponseBudget {
  readonly #total: Total;

  constructor(limit: number) {
    this.#total = { limit, size: 0 };
  }

  /** Does work that may make a list. What the list held is free again when the work ends or fails. */
  run<T>(work: (room: AnswerRoom) => T | Promise<T>): T | Promise<T> {
    const room = new HeldRoom(this.#total);
    let made: T | Promise<T>;
    try {
      made = work(room);
    } catch (error) {
      room.release();
      throw error;
    }
    if (made instanceof Promise) return made.finally(() => room.release());
    room.release();
    return made;
  }
}

class HeldRoom implements AnswerRoom {
  readonly #total: Total;
  #reserved = 0;

  constructor(total: Total) {
    this.#total = total;
  }

  hold(length: number): boolean {
    if (length < LONG || length <= this.#reserved) return true;
    const others = this.#total.size - this.#reserved;
    if (others > 0 && others + length > this.#total.limit) return false;
    this.#total.size = others + length;
    this.#reserved = length;
    return true;
  }

  release(): void {
    this.#total.size -= this.#reserved;
    this.#reserved = 0;
  }
}
