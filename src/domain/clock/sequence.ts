import { existing, initial, type Sequence, type Step } from '#domain/kernel/sequence.ts';
import type { ClockEvent } from './events.ts';

export const clockSequence: Sequence & { readonly steps: Record<ClockEvent['type'], Step> } = {
  kind: 'clock',
  numbered: false,
  steps: { ClockFoundBehind: { from: [initial, existing], to: existing } },
};
