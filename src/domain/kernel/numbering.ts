export interface TakenNumbers {
  /** The first number from `n` upwards that is not known to be taken. */
  next(n: number): number;
  note(n: number): void;
  learn(): void;
}

/** Numbers that are looked up one by one before `learn` looks up all. */
const few = 8;

/** The first free number from 2 upwards. */
export function firstFree(isTaken: (n: number) => boolean, known?: TakenNumbers): number {
  let looked = 0;
  for (let n = known?.next(2) ?? 2; ; n = known?.next(n + 1) ?? n + 1) {
    if (!isTaken(n)) return n;
    known?.note(n);
    looked += 1;
    if (looked === few) known?.learn();
  }
}
