import { gone, nothing, type Sequence, type Step, there } from '#domain/kernel/sequence.ts';
import type { TermEvent } from './events.ts';

export const termSequence: Sequence & { readonly steps: Record<TermEvent['type'], Step> } = {
  kind: 'term',
  numbered: true,
  steps: {
    TermCreated: { from: [nothing], to: there },
    TermChanged: { from: [there] },
    MenuChanged: { from: [there] },
    TermDeleted: { from: [there], to: gone },
  },
};
