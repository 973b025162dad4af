import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import { existing, initial, type Sequence, type Step } from '#domain/kernel/sequence.ts';

export type ClockEvent = EventOf<(typeof clockEvents)[number]>;

/** The single stream for findings about clocks. */
export const clockStream = 'clock';

export const ClockFoundBehind = defineEvent({
  type: 'ClockFoundBehind',
  summary:
    'The clock was behind the log when this commit was made: an earlier commit was made by a clock that was ahead. ' +
    'The times of commits never go back, so this one and the next have the time of that commit until the clock has reached it.',
  schema: z.object({ clock: limited.word.describe('what the clock said: UTC, ISO 8601 with milliseconds') }),
});

export const clockEvents = [ClockFoundBehind] as const;

export const clockSequence: Sequence & { readonly steps: Record<ClockEvent['type'], Step> } = {
  kind: 'clock',
  numbered: false,
  steps: { ClockFoundBehind: { from: [initial, existing], to: existing } },
};
