import type { FollowingReader } from '#node/following-reader.ts';

/** Milliseconds for which reads share a snapshot, unless more is published. */
const shared = 10;

interface SnapshotParts {
  readonly following: Pick<FollowingReader, 'begin' | 'end'>;
  /** Number of messages about commits that this thread has been sent. */
  readonly told: Int32Array;
  /** Takes messages that have arrived, until a number of them were about commits. False if they have not arrived. */
  readonly takeUntil: (count: number) => boolean;
  /** Whether an answer is still made from the snapshot. */
  readonly isUsed: () => boolean;
}

/** The snapshot that the reads of a thread share. It shows all that has been acknowledged when a read begins. */
export class Snapshot {
  readonly #parts: SnapshotParts;
  #isOpen = false;
  /** How many messages about commits it shows. */
  #shown = 0;

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
  }

  /** Whether reads show all that has been acknowledged. */
  begin(): boolean {
    const { following, told, takeUntil } = this.#parts;
    const count = Atomics.load(told, 0);
    if (this.#isOpen && this.#shown === count) return true;
    if (!this.end() || !takeUntil(count)) return false;
    this.#isOpen = following.begin();
    this.#shown = count;
    if (this.#isOpen) setTimeout(() => this.#endSoon(), shared);
    return this.#isOpen;
  }

  /** False if an answer is still made from it. */
  end(): boolean {
    if (this.#parts.isUsed()) return false;
    if (this.#isOpen) this.#parts.following.end();
    this.#isOpen = false;
    return true;
  }

  #endSoon(): void {
    if (!this.end()) setTimeout(() => this.#endSoon(), shared);
  }
}
