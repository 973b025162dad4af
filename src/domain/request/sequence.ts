import { existing, initial, type Sequence, type Step } from '#domain/kernel/sequence.ts';
import type { RequestEvent } from './events.ts';

/** Which events may happen to requests with one key: after a day the key may be used for another request. */
export const requestSequence: Sequence & { readonly steps: Record<RequestEvent['type'], Step> } = {
  kind: 'request',
  numbered: false,
  steps: {
    RequestAnswered: { from: [initial, existing], to: existing },
  },
};
