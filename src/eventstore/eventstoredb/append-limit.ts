import { AppendTooLarge } from '../port.ts';
import type { PhysicalEvent } from './client.ts';
import { sizeOf } from './event.ts';
import { limitIn } from './faults.ts';

/** Limits of the size of one append: the setting or, once the server has refused one, what it takes if that is less. */
export interface AppendLimit {
  readonly bytes: number;
  /** Throws `AppendTooLarge` if an append exceeds a limit. */
  check(events: readonly PhysicalEvent[]): void;
  /** Learns a limit from the server's refusal of an append. Throws `AppendTooLarge`, with the limits. */
  refused(events: readonly PhysicalEvent[], error: AppendTooLarge): never;
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
  return {
    get bytes() {
      return bytes();
    },
    check(events) {
      if (sizeOf(events) > bytes() || largestOf(events) > learnt.event) throw tooLarge(events);
    },
    refused(events, error) {
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
      throw tooLarge(events, error);
    },
  };
}

function largestOf(events: readonly PhysicalEvent[]): number {
  return events.reduce((largest, event) => Math.max(largest, sizeOf([event])), 0);
}
