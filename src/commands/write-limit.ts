import type { Session, WriteContext } from './session.ts';
import type { Written } from './writer.ts';

export class TooManyWrites extends Error {
  override readonly name = 'TooManyWrites';
}

type Submit = <T>(context: WriteContext, work: (session: Session) => T) => Promise<Written<T>>;

export interface LimitedWrites {
  readonly submit: Submit;
  readonly waiting: () => number;
  readonly turnedAway: () => number;
}

/** Admits at most `most` writes of requests at a time. The system's own writes are always admitted. */
export function limitWrites(submit: Submit, max: number): LimitedWrites {
  let waiting = 0;
  let turnedAway = 0;
  return {
    waiting: () => waiting,
    turnedAway: () => turnedAway,
    async submit(context, work) {
      if (context.viewer === null) return submit(context, work);
      if (waiting >= max) {
        turnedAway++;
        throw new TooManyWrites('too many writes are waiting');
      }
      waiting++;
      try {
        return await submit(context, work);
      } finally {
        waiting--;
      }
    },
  };
}
