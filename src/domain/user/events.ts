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
  summary: 'A user account came to be.',
  schema: z.object({ id, role, login: z.string(), ...profile }),
  sealed: ['login', 'displayName', 'slug', 'email', 'url', 'description'],
  erased: { login: 'erased', ...erasedProfile },
  subjects: ofItsStream,
});

export const UserProfileChanged = defineEvent({
  type: 'UserProfileChanged',
  summary: 'What others may see of a user changed; only what did is recorded. Those of version 1 hold all of it.',
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
  summary: 'A user got another role.',
  schema: z.object({ id, role }),
});

export const UserPasswordIssued = defineEvent({
  type: 'UserPasswordIssued',
  summary: 'A new application password was made for a user; only its digest is known.',
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
  summary: 'An application password no longer opens anything.',
  schema: z.object({ id, password: z.string() }),
});

export const UserPasswordRenamed = defineEvent({
  type: 'UserPasswordRenamed',
  summary: 'An application password got another name.',
  schema: z.object({ id, password: z.string(), name: z.string() }),
  sealed: ['name'],
  erased: { name: '' },
  subjects: ofItsStream,
});

export const UserDisabled = defineEvent({
  type: 'UserDisabled',
  summary: 'An account was closed until further notice: no password opens it.',
  schema: z.object({ id }),
});

export const UserEnabled = defineEvent({
  type: 'UserEnabled',
  summary: 'A disabled account was opened again, with the passwords that it had.',
  schema: z.object({ id }),
});

export const UserErased = defineEvent({
  type: 'UserErased',
  ordersErasure: true,
  summary: 'An account was closed for good and ordered to be erased: it has no name, no address and no password since.',
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
