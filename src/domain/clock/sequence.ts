import { nothing, type Sequence, type Step, there } from '#domain/kernel/sequence.ts';
import type { ClockEvent } from './events.ts';

/** What may be noticed about clocks. */
export const clockSequence: Sequence & { readonly steps: Record<ClockEvent['type'], Step> } = {
  kind: 'clock',
  numbered: false,
  steps: { ClockFoundBehind: { from: [nothing, there], to: there } },
};
