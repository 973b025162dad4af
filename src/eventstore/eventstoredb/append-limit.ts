import { AppendTooLarge } from '../port.ts';
import { limitIn } from './faults.ts';

/** Size limit of one append: the setting or, once the server has refused an append, its limit if that is lower. */
export interface AppendLimit {
  readonly bytes: number;
  /** Throws `AppendTooLarge` if an append of this size exceeds the limit. */
  check(size: number): void;
  /** Learns the limit from the server's refusal of an append of this size. Throws `AppendTooLarge`, with both limits. */
  refused(size: number, error: AppendTooLarge): never;
}

export function createAppendLimit(setting: number, onWarning: (message: string) => void): AppendLimit {
  let learnt: number | null = null;
  const bytes = () => Math.min(setting, learnt ?? setting);
  const limits = () =>
    learnt === null
      ? `EVENTSTORE_APPEND_BYTES is ${setting}`
      : `the event store takes ${learnt} bytes, EVENTSTORE_APPEND_BYTES is ${setting}`;
  const tooLarge = (size: number, cause?: unknown) =>
    new AppendTooLarge(`An append of ${size} bytes is too large: ${limits()}`, { cause });
  return {
    get bytes() {
      return bytes();
    },
    check(size) {
      if (size > bytes()) throw tooLarge(size);
    },
    refused(size, error) {
      const limit = limitIn(error.cause);
      if (limit !== null && limit !== learnt) {
        learnt = limit;
        onWarning(
          `The event store takes appends of ${limit} bytes, but EVENTSTORE_APPEND_BYTES is ${setting}: both should be the same. Appends are kept within ${bytes()} bytes`,
        );
      }
      throw tooLarge(size, error);
    },
  };
}
