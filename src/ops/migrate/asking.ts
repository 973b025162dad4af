import type { Outcome } from '../outcome.ts';

/** Has the process with the store carry out a verb, and returns its value. Throws `NotCarriedOut`. */
export type Ask = (verb: string, args: unknown) => Promise<unknown>;

/** A verb was not carried out; `outcome` says why. */
export class NotCarriedOut extends Error {
  override readonly name = 'NotCarriedOut';
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super('message' in outcome ? outcome.message : outcome.kind);
    this.outcome = outcome;
  }
}

export function askingBy(ask: (verb: string, args: unknown) => Promise<Outcome | null>): Ask {
  return async (verb, args) => {
    const outcome = await ask(verb, args);
    if (outcome?.kind === 'done') return outcome.value;
    const gone = 'The server went away. Nothing is lost: run it again, and it goes on where it was.';
    throw new NotCarriedOut(outcome ?? { kind: 'unavailable', message: gone });
  };
}
