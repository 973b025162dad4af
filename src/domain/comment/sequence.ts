import { erased, gone, nothing, type Sequence, type Step, there } from '#domain/kernel/sequence.ts';
import type { CommentEvent } from './events.ts';

export const commentSequence: Sequence & { readonly steps: Record<CommentEvent['type'], Step> } = {
  kind: 'comment',
  numbered: true,
  steps: {
    CommentWritten: { from: [nothing], to: there },
    CommentSigned: { from: [there] },
    CommentOriginNoted: { from: [there] },
    CommentEdited: { from: [there] },
    CommentChanged: { from: [there] },
    CommentApproved: { from: [there] },
    CommentHeld: { from: [there] },
    CommentMarkedAsSpam: { from: [there] },
    CommentTrashed: { from: [there] },
    CommentRestored: { from: [there] },
    CommentDeleted: { from: [there], to: gone },
    CommentErased: { from: [gone], to: erased },
  },
};
