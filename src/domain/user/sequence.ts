import { erased, gone, nothing, type Sequence, type Step, there } from '#domain/kernel/sequence.ts';
import type { UserEvent } from './events.ts';

export const userSequence: Sequence & { readonly steps: Record<UserEvent['type'], Step> } = {
  kind: 'user',
  numbered: true,
  steps: {
    UserAdded: { from: [nothing], to: there },
    UserProfileChanged: { from: [there] },
    UserRoleChanged: { from: [there] },
    UserSecretSet: { from: [there] },
    UserPasswordIssued: { from: [there] },
    UserTokenIssued: { from: [there] },
    UserPasswordRevoked: { from: [there] },
    UserPasswordRenamed: { from: [there] },
    UserDisabled: { from: [there] },
    UserEnabled: { from: [there] },
    UserDeleted: { from: [there], to: gone },
    UserErased: { from: [there, gone], to: erased },
  },
};
