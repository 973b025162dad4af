import { nothing, type Sequence, type Step, there } from '#domain/kernel/sequence.ts';
import type { RequestEvent } from './events.ts';

/** What may happen to the requests with one key: after a day it may come with another request. */
export const requestSequence: Sequence & { readonly steps: Record<RequestEvent['type'], Step> } = {
  kind: 'request',
  numbered: false,
  steps: {
    RequestAnswered: { from: [nothing, there], to: there },
  },
};
