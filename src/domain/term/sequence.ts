import { deleted, existing, initial, type Sequence, type Step } from '#domain/kernel/sequence.ts';
import type { TermEvent } from './events.ts';

export const termSequence: Sequence & { readonly steps: Record<TermEvent['type'], Step> } = {
  kind: 'term',
  numbered: true,
  steps: {
    TermCreated: { from: [initial], to: existing },
    TermChanged: { from: [existing] },
    MenuChanged: { from: [existing] },
    TermDeleted: { from: [existing], to: deleted },
  },
};
