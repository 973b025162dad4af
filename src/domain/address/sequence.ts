import { erased, nothing, type Sequence, type Step, there } from '#domain/kernel/sequence.ts';
import type { AddressEvent } from './events.ts';

/** Events allowed for mail addresses of visitors. An erased address may be used, and erased, again. */
export const addressSequence: Sequence & { readonly steps: Record<AddressEvent['type'], Step> } = {
  kind: 'address',
  numbered: false,
  steps: {
    AddressKeyMade: { from: [nothing], to: there },
    AddressErased: { from: [nothing, erased], to: erased },
  },
};
