import type { Refusal } from '#domain/kernel/refusal.ts';

/** Thrown for an event that must not enter the log. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}
