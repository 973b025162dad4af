import { z } from 'zod';
import { notSaid, orderFields } from '#domain/kernel/erasure.ts';
import { defineEvent, type EventOf, unchangedData } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import { deleted, erased, existing, initial, type Sequence, type Step } from '#domain/kernel/sequence.ts';
import { ofItsStream } from '#domain/kernel/subject.ts';
import { roles } from './roles.ts';

const id = z.int().min(1);
const assigned = limited.list(z.enum(roles));
const profile = {
  displayName: limited.name,
  slug: limited.word,
  email: limited.word,
  url: limited.address,
  description: limited.paragraph,
};
const more = {
  firstName: limited.name.exactOptional(),
  lastName: limited.name.exactOptional(),
  nickname: limited.name.exactOptional().describe("'': the login"),
  preferences: limited.paragraph.exactOptional().describe('what editors remember for the user, as JSON'),
};
const moreNames = ['firstName', 'lastName', 'nickname', 'preferences'] as const;
const noMore = { firstName: '', lastName: '', nickname: '', preferences: '' };
const erasedProfile = { displayName: 'erased', slug: 'erased', email: '', url: '', description: '', ...noMore };

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
    UserLastDaySet: { from: [existing] },
    UserDeleted: { from: [existing], to: deleted },
    UserErased: { from: [existing, deleted], to: erased },
  },
};

/** Before version 2 a user had exactly one role. */
const severalRoles = ({ role, ...data }: Record<string, unknown>) => ({ ...data, roles: [role] });

export const UserAdded = defineEvent({
  type: 'UserAdded',
  summary: 'A user account was created.',
  schema: z.object({ id, roles: assigned, login: limited.word, ...profile, ...more }),
  sealed: ['login', 'displayName', 'slug', 'email', 'url', 'description', ...moreNames],
  erased: { login: 'erased', ...erasedProfile },
  subjects: ofItsStream,
  upcasters: [severalRoles],
});

export const UserProfileChanged = defineEvent({
  type: 'UserProfileChanged',
  summary: 'The public profile of a user changed; only changed fields are recorded. Version 1 contains all of them.',
  schema: z.object({
    id,
    displayName: limited.name.exactOptional(),
    slug: limited.word.exactOptional(),
    email: limited.word.exactOptional(),
    url: limited.address.exactOptional(),
    description: limited.paragraph.exactOptional(),
    ...more,
  }),
  sealed: ['displayName', 'slug', 'email', 'url', 'description', ...moreNames],
  erased: erasedProfile,
  subjects: ofItsStream,
  upcasters: [unchangedData, unchangedData],
});

export const UserRoleChanged = defineEvent({
  type: 'UserRoleChanged',
  summary: 'The roles of a user changed. Version 1 contains exactly one.',
  schema: z.object({ id, roles: assigned.describe('all of them; none: the user may do nothing that needs a role') }),
  upcasters: [severalRoles],
});

export const UserSecretSet = defineEvent({
  type: 'UserSecretSet',
  summary: 'The password with which a user logs in to the pages was set; only its digest is recorded.',
  schema: z.object({ id, digest: limited.word }),
  sealed: ['digest'],
  erased: { digest: '' },
  subjects: ofItsStream,
});

export const UserPasswordIssued = defineEvent({
  type: 'UserPasswordIssued',
  summary: 'An application password was created for a user; only its digest is recorded.',
  schema: z.object({
    id,
    password: limited.word.describe('id of the password'),
    name: limited.name,
    digest: limited.word,
    appId: limited.word.exactOptional().describe('uuid of the program that it is for'),
  }),
  sealed: ['digest'],
  erased: { digest: '' },
  subjects: ofItsStream,
  upcasters: [unchangedData],
});

export const UserTokenIssued = defineEvent({
  type: 'UserTokenIssued',
  summary: 'A token was created, with which a program acts for a user for some time; only its digest is recorded.',
  schema: z.object({
    id,
    token: limited.word.describe('id of the token'),
    name: limited.name,
    digest: limited.word,
    until: limited.word.describe('UTC, ISO 8601 with milliseconds'),
    publishes: z.boolean().describe('whether it may publish, and change what is published'),
    release: z.int().min(1).exactOptional().describe('what is written with it waits in this release'),
  }),
  upcasters: [unchangedData],
  sealed: ['name', 'digest'],
  erased: { name: '', digest: '' },
  subjects: ofItsStream,
});

export const UserPasswordRevoked = defineEvent({
  type: 'UserPasswordRevoked',
  summary: 'An application password or a token was withdrawn and no longer works.',
  schema: z.object({ id, password: limited.word }),
});

export const UserPasswordRenamed = defineEvent({
  type: 'UserPasswordRenamed',
  summary: 'An application password was renamed.',
  schema: z.object({ id, password: limited.word, name: limited.name }),
  sealed: ['name'],
  erased: { name: '' },
  subjects: ofItsStream,
});

export const UserDisabled = defineEvent({
  type: 'UserDisabled',
  summary: 'An account was disabled: its passwords do not work.',
  schema: z.object({ id }),
});

export const UserEnabled = defineEvent({
  type: 'UserEnabled',
  summary: 'A disabled account was enabled again, with the same passwords.',
  schema: z.object({ id }),
});

export const UserLastDaySet = defineEvent({
  type: 'UserLastDaySet',
  summary: 'The last day was set on which an account can be used, or it was removed.',
  schema: z.object({
    id,
    day: limited.word.describe("in the time zone of the site, YYYY-MM-DD; '': there is none"),
  }),
});

export const UserDeleted = defineEvent({
  type: 'UserDeleted',
  summary: 'An account was deleted. What the user wrote passed to somebody else, or posts and pages went to the trash.',
  schema: z.object({ id, heir: z.int().min(0).describe('user who has all of it now; 0: nobody') }),
});

export const UserErased = defineEvent({
  type: 'UserErased',
  ordersErasure: true,
  summary:
    'An account was closed for good, or had been deleted, and was ordered to be erased: from then on it has no name, no address and no password.',
  schema: z.object({ id, ...orderFields }),
  upcasters: [notSaid],
});

export const userEvents = [
  UserAdded,
  UserProfileChanged,
  UserRoleChanged,
  UserSecretSet,
  UserPasswordIssued,
  UserTokenIssued,
  UserPasswordRevoked,
  UserPasswordRenamed,
  UserDisabled,
  UserEnabled,
  UserLastDaySet,
  UserDeleted,
  UserErased,
] as const;
export type UserEvent = EventOf<(typeof userEvents)[number]>;
export type UserDeletedEvent = EventOf<typeof UserDeleted>;
