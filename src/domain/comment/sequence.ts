import { deleted, erased, existing, initial, type Sequence, type Step } from '#domain/kernel/sequence.ts';
import type { CommentEvent } from './events.ts';

export const commentSequence: Sequence & { readonly steps: Record<CommentEvent['type'], Step> } = {
  kind: 'comment',
  numbered: true,
  steps: {
    CommentWritten: { from: [initial], to: existing },
    CommentSigned: { from: [existing] },
    CommentOriginNoted: { from: [existing] },
    CommentEdited: { from: [existing] },
    CommentChanged: { from: [existing] },
    CommentApproved: { from: [existing] },
    CommentHeld: { from: [existing] },
    CommentMarkedAsSpam: { from: [existing] },
    CommentTrashed: { from: [existing] },
    CommentRestored: { from: [existing] },
    CommentDeleted: { from: [existing], to: deleted },
    CommentErased: { from: [deleted], to: erased },
  },
};
