import { erased, gone, nothing, type Sequence, type Step, there } from '#domain/kernel/sequence.ts';
import type { MediaEvent } from './events.ts';

export const mediaSequence: Sequence & { readonly steps: Record<MediaEvent['type'], Step> } = {
  kind: 'media',
  numbered: true,
  steps: {
    MediaUploaded: { from: [nothing], to: there },
    MediaChanged: { from: [there] },
    MediaDescribed: { from: [there] },
    MediaDetached: { from: [there] },
    MediaDerived: { from: [there] },
    MediaSizesMade: { from: [there] },
    MediaMadePrivate: { from: [there] },
    MediaReleased: { from: [there] },
    MediaDeleted: { from: [there], to: gone },
    MediaErased: { from: [gone], to: erased },
  },
};
