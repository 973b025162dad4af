import { erased, nothing, type Sequence, type Step, there } from '#domain/kernel/sequence.ts';
import type { AddressEvent } from './events.ts';

/** What may happen to mail addresses of visitors. One that was erased may write again, and be erased again. */
export const addressSequence: Sequence & { readonly steps: Record<AddressEvent['type'], Step> } = {
  kind: 'address',
  numbered: false,
  steps: {
    AddressKeyMade: { from: [nothing], to: there },
    AddressErased: { from: [nothing, erased], to: erased },
  },
};
