import { AppendTooLarge } from '../port.ts';
import type { PhysicalEvent } from './client.ts';
import { sizeOf } from './event.ts';
import { limitIn } from './faults.ts';

/** Limits of the size of one append: the setting or, once the server has refused one, what it takes if that is less. */
export interface AppendLimit {
  readonly bytes: number;
  /** Does an append. Throws `AppendTooLarge`, with the limits, if it exceeds one, or if the server refuses it, from which a limit is learnt. */
  within<T>(events: readonly PhysicalEvent[], append: () => Promise<T>): Promise<T>;
}

export function createAppendLimit(setting: number, onWarning: (message: string) => void): AppendLimit {
  const learnt = { append: Number.POSITIVE_INFINITY, event: Number.POSITIVE_INFINITY };
  const bytes = () => Math.min(setting, learnt.append);
  const stated = () =>
    learnt.append < Number.POSITIVE_INFINITY ? `the event store takes ${learnt.append} bytes, ` : '';
  const tooLarge = (events: readonly PhysicalEvent[], cause?: unknown) => {
    const largest = largestOf(events);
    const text =
      largest > learnt.event
        ? `An event of ${largest} bytes is too large: the event store takes events of ${learnt.event} bytes`
        : `An append of ${sizeOf(events)} bytes is too large: ${stated()}EVENTSTORE_APPEND_BYTES is ${setting}`;
    return new AppendTooLarge(text, { cause });
  };
  const learnFrom = (events: readonly PhysicalEvent[], error: AppendTooLarge) => {
    const limit = limitIn(error.cause);
    // A server that does not state how large an event may be has shown that this one may not.
    const known = limit.bytes ?? (limit.of === 'event' ? largestOf(events) - 1 : learnt.append);
    if (known !== learnt[limit.of]) {
      learnt[limit.of] = known;
      onWarning(
        limit.of === 'event'
          ? `The event store takes events of ${known} bytes (its option MaxAppendEventSize): requests with a larger one are refused`
          : `The event store takes appends of ${known} bytes, but EVENTSTORE_APPEND_BYTES is ${setting}: both should be the same. Appends are kept within ${bytes()} bytes`,
      );
    }
  };
  return {
    get bytes() {
      return bytes();
    },
    async within(events, append) {
      if (sizeOf(events) > bytes() || largestOf(events) > learnt.event) throw tooLarge(events);
      try {
        return await append();
      } catch (error) {
        if (!(error instanceof AppendTooLarge)) throw error;
        learnFrom(events, error);
        throw tooLarge(events, error);
      }
    },
  };
}

function largestOf(events: readonly PhysicalEvent[]): number {
  return events.reduce((largest, event) => Math.max(largest, sizeOf([event])), 0);
}
