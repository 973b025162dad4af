import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import { ofUser, type SealedEvent, type Subjects } from '#domain/kernel/subject.ts';

const id = z.int().min(1);
const user = id.describe('by whose rights it sees what changed');
const address = limited.address;
const secret = limited.word.describe('what its messages are signed with');
const resources = limited.list(limited.word).describe('collections whose changes it is told of; none: all');
const changes = limited.list(limited.word).describe('kinds of changes that it is told of; none: all');
const statuses = limited
  .list(limited.word)
  .describe('statuses that an entry has before or after a change; none: whatever they are');

function ofItsPeople({ data, actor }: SealedEvent<{ user: number }>): Subjects {
  const own = ofUser(data.user);
  return actor === null || actor === 0 || actor === data.user ? [own] : [own, ofUser(actor)];
}

const HookAdded = defineEvent({
  type: 'HookAdded',
  summary: 'An address was given to which changes of the site are sent.',
  schema: z.object({ id, user, resources, changes, statuses, address, secret }),
  sealed: ['address', 'secret'],
  erased: { address: '', secret: '' },
  subjects: ofItsPeople,
});

const HookChanged = defineEvent({
  type: 'HookChanged',
  summary: 'What a hook is told of changed, or by whose rights; only changed fields are recorded.',
  schema: z.object({
    id,
    user: user.exactOptional(),
    resources: resources.exactOptional(),
    changes: changes.exactOptional(),
    statuses: statuses.exactOptional(),
  }),
});

const HookAddressChanged = defineEvent({
  type: 'HookAddressChanged',
  summary: 'Changes of the site are sent to another address.',
  schema: z.object({ id, user, address }),
  sealed: ['address'],
  erased: { address: '' },
  subjects: ofItsPeople,
});

const HookSecretReplaced = defineEvent({
  type: 'HookSecretReplaced',
  summary: 'Messages of a hook are signed with another secret; for a day with the one before, too.',
  schema: z.object({ id, user, secret }),
  sealed: ['secret'],
  erased: { secret: '' },
  subjects: ofItsPeople,
});

/** Why a hook is stopped: by request, because its receiver is gone or has failed for too long, or because its user may not log in. */
export const stopReasons = ['asked', 'gone', 'failing', 'account'] as const;
export type StopReason = (typeof stopReasons)[number];

const HookStopped = defineEvent({
  type: 'HookStopped',
  summary: 'Nothing is sent to a hook until it is started again.',
  schema: z.object({ id, why: z.enum(stopReasons) }),
});

const HookStarted = defineEvent({
  type: 'HookStarted',
  summary: 'A hook that was stopped is told of changes again, from where it stopped.',
  schema: z.object({ id }),
});

const HookRemoved = defineEvent({
  type: 'HookRemoved',
  summary: 'A hook was removed.',
  schema: z.object({ id }),
});

export const hookEvents = [
  HookAdded,
  HookChanged,
  HookAddressChanged,
  HookSecretReplaced,
  HookStopped,
  HookStarted,
  HookRemoved,
] as const;
export type HookEvent = EventOf<(typeof hookEvents)[number]>;
