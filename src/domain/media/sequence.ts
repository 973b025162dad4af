import { deleted, erased, existing, initial, type Sequence, type Step } from '#domain/kernel/sequence.ts';
import type { MediaEvent } from './events.ts';

export const mediaSequence: Sequence & { readonly steps: Record<MediaEvent['type'], Step> } = {
  kind: 'media',
  numbered: true,
  steps: {
    MediaUploaded: { from: [initial], to: existing },
    MediaChanged: { from: [existing] },
    MediaDescribed: { from: [existing] },
    MediaDetached: { from: [existing] },
    MediaDerived: { from: [existing] },
    MediaSizesMade: { from: [existing] },
    MediaMadePrivate: { from: [existing] },
    MediaReleased: { from: [existing] },
    MediaDeleted: { from: [existing], to: deleted },
    MediaErased: { from: [deleted], to: erased },
  },
};
