import { clockStream } from '#domain/clock/events.ts';
import { codec } from '#domain/events.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';

export interface Leap {
  readonly from: number;
  readonly to: number;
  /** Position at which the clock was found behind them; until there it was ahead itself. */
  readonly noticed: number;
  readonly clock: string;
  readonly at: string;
}

/** Where a log is ahead of the clock, as its own events show. Reads the log as it is at the beginning. */
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
   * Seconds by which the time of an event is ahead of the clock; 0 where it is not, or where nothing shows it. `data`: of the
   * event, decoded. Between the leap and the correction it is the least that it can be.
   */
  aheadOf({ position, at, type }: StoredEvent, data: unknown): number {
    const leap = this.all.find(({ from, to }) => from <= position && position <= to);
    const saved = savedAt(type, data);
    // Until it was set right, the clock dated what was written.
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

/** What the clock said by the time of a save in an event (UTC); null for events without one. */
function savedAt(type: string, data: unknown): string | null {
  // What is created is saved, as far as it shows, at any date that its author likes.
  if (type === 'EntryCreated' || type === 'MediaUploaded') return null;
  const { modifiedGmt } = data as { readonly modifiedGmt?: string };
  return modifiedGmt === undefined ? null : `${modifiedGmt}.000Z`;
}
