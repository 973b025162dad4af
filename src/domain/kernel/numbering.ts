export interface TakenNumbers {
  /** The first number from `n` on that is not known to be taken. */
  next(n: number): number;
  note(n: number): void;
  learn(): void;
}

/** Numbers that are looked up one by one before all are. */
const few = 8;

/** The first number from 2 on that is free. */
export function firstFree(isTaken: (n: number) => boolean, known?: TakenNumbers): number {
  let looked = 0;
  for (let n = known?.next(2) ?? 2; ; n = known?.next(n + 1) ?? n + 1) {
    if (!isTaken(n)) return n;
    known?.note(n);
    looked += 1;
    if (looked === few) known?.learn();
  }
}
