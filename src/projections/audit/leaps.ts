import { codec } from '#catalogue/events.ts';
import { clockStream } from '#domain/clock/events.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';

export interface Leap {
  readonly from: number;
  readonly to: number;
  /** Position at which the log was found ahead of the clock; until there the clock itself was ahead. */
  readonly noticed: number;
  readonly clock: string;
  readonly at: string;
}

/** Where the log is ahead of the clock, as its events show. Covers the log as of construction. */
export class Leaps {
  readonly all: readonly Leap[];
  readonly #tolerance: number;

  /** `tolerance`: milliseconds that the log may be ahead. */
  constructor(log: Pick<EventStore, 'read' | 'positionAt'>, tolerance: number) {
    this.#tolerance = tolerance;
    this.all = [...log.read({ stream: clockStream })].map((stored) => {
      const { position: noticed, at } = stored;
      const { clock } = codec.decode(stored).data as { readonly clock: string };
      const believable = new Date(Date.parse(clock) + tolerance).toISOString();
      return { from: log.positionAt(believable) + 1, to: log.positionAt(at), noticed, clock, at };
    });
  }

  /**
   * Seconds by which the time of an event is ahead of the clock; 0 if it is not, or if unknown. `data`: decoded data of the event.
   * Between leap and correction it is a lower bound.
   */
  aheadOf({ position, at, type }: StoredEvent, data: unknown): number {
    const leap = this.all.find(({ from, to }) => from <= position && position <= to);
    const saved = savedAt(type, data);
    // Until the clock was corrected, it dated what was saved.
    const clock = leap !== undefined && (saved === null || position < leap.noticed) ? leap.clock : saved;
    const ahead = clock === null ? 0 : Date.parse(at) - Date.parse(clock);
    return ahead > this.#tolerance ? Math.round(ahead / 1000) : 0;
  }
}

export function aheadInWords(seconds: number): string {
  const [unit, length] = units.find(([, each]) => seconds >= 2 * each) ?? ['seconds', 1];
  return `${Math.floor(seconds / length)} ${unit} ahead of the clock`;
}

const units = [
  ['days', 86_400],
  ['hours', 3600],
  ['minutes', 60],
] as const;

/** Time of a save in an event by the clock (UTC); null for events without one. */
function savedAt(type: string, data: unknown): string | null {
  // A new item may have any date that its author chooses.
  if (type === 'EntryCreated' || type === 'MediaUploaded') return null;
  const { modifiedGmt } = data as { readonly modifiedGmt?: string };
  return modifiedGmt === undefined ? null : `${modifiedGmt}.000Z`;
}
