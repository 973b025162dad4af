import { deleted, erased, existing, initial, type Sequence, type Step } from '#domain/kernel/sequence.ts';
import type { UserEvent } from './events.ts';

export const userSequence: Sequence & { readonly steps: Record<UserEvent['type'], Step> } = {
  kind: 'user',
  numbered: true,
  steps: {
    UserAdded: { from: [initial], to: existing },
    UserProfileChanged: { from: [existing] },
    UserRoleChanged: { from: [existing] },
    UserSecretSet: { from: [existing] },
    UserPasswordIssued: { from: [existing] },
    UserTokenIssued: { from: [existing] },
    UserPasswordRevoked: { from: [existing] },
    UserPasswordRenamed: { from: [existing] },
    UserDisabled: { from: [existing] },
    UserEnabled: { from: [existing] },
    UserDeleted: { from: [existing], to: deleted },
    UserErased: { from: [existing, deleted], to: erased },
  },
};
