import { erased, existing, initial, type Sequence, type Step } from '#domain/kernel/sequence.ts';
import type { AddressEvent } from './events.ts';

/** Events allowed for mail addresses of visitors. An erased address may be used, and erased, again. */
export const addressSequence: Sequence & { readonly steps: Record<AddressEvent['type'], Step> } = {
  kind: 'address',
  numbered: false,
  steps: {
    AddressKeyMade: { from: [initial], to: existing },
    AddressErased: { from: [initial, erased], to: erased },
  },
};
