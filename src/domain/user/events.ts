import { z } from 'zod';
import { defineEvent, type EventOf, unchangedData } from '#domain/kernel/event.ts';
import { ofItsStream } from '#domain/kernel/subject.ts';
import { roles } from './roles.ts';

const id = z.int().min(1);
const role = z.enum(roles);
const profile = {
  displayName: z.string(),
  slug: z.string(),
  email: z.string(),
  url: z.string(),
  description: z.string(),
};
const erasedProfile = { displayName: 'erased', slug: 'erased', email: '', url: '', description: '' };

export const UserAdded = defineEvent({
  type: 'UserAdded',
  summary: 'A user account was created.',
  schema: z.object({ id, role, login: z.string(), ...profile }),
  sealed: ['login', 'displayName', 'slug', 'email', 'url', 'description'],
  erased: { login: 'erased', ...erasedProfile },
  subjects: ofItsStream,
});

export const UserProfileChanged = defineEvent({
  type: 'UserProfileChanged',
  summary: 'The public profile of a user changed; only changed fields are recorded. Version 1 contains all of them.',
  schema: z.object({
    id,
    displayName: z.string().exactOptional(),
    slug: z.string().exactOptional(),
    email: z.string().exactOptional(),
    url: z.string().exactOptional(),
    description: z.string().exactOptional(),
  }),
  sealed: ['displayName', 'slug', 'email', 'url', 'description'],
  erased: erasedProfile,
  subjects: ofItsStream,
  upcasters: [unchangedData],
});

export const UserRoleChanged = defineEvent({
  type: 'UserRoleChanged',
  summary: 'The role of a user changed.',
  schema: z.object({ id, role }),
});

export const UserPasswordIssued = defineEvent({
  type: 'UserPasswordIssued',
  summary: 'An application password was created for a user; only its digest is recorded.',
  schema: z.object({
    id,
    password: z.string().describe('id of the password'),
    name: z.string(),
    digest: z.string(),
    appId: z.string().exactOptional().describe('uuid of the program that it is for'),
  }),
  sealed: ['digest'],
  erased: { digest: '' },
  subjects: ofItsStream,
  upcasters: [unchangedData],
});

export const UserPasswordRevoked = defineEvent({
  type: 'UserPasswordRevoked',
  summary: 'An application password was withdrawn and no longer works.',
  schema: z.object({ id, password: z.string() }),
});

export const UserPasswordRenamed = defineEvent({
  type: 'UserPasswordRenamed',
  summary: 'An application password was renamed.',
  schema: z.object({ id, password: z.string(), name: z.string() }),
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

export const UserErased = defineEvent({
  type: 'UserErased',
  ordersErasure: true,
  summary:
    'An account was closed for good and ordered to be erased: from then on it has no name, no address and no password.',
  schema: z.object({ id }),
});

export const userEvents = [
  UserAdded,
  UserProfileChanged,
  UserRoleChanged,
  UserPasswordIssued,
  UserPasswordRevoked,
  UserPasswordRenamed,
  UserDisabled,
  UserEnabled,
  UserErased,
] as const;
export type UserEvent = EventOf<(typeof userEvents)[number]>;
