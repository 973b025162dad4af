import { z } from 'zod';
import { notSaid, orderFields } from '#domain/kernel/erasure.ts';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import { erased, existing, initial, type Sequence, type Step } from '#domain/kernel/sequence.ts';
import { ofTheSite } from '#domain/kernel/subject.ts';

export type AddressEvent = EventOf<(typeof addressEvents)[number]>;

export const AddressKeyMade = defineEvent({
  type: 'AddressKeyMade',
  summary:
    'The key was created with which mail addresses of visitors are turned into the digests that stand for them, and addresses of images are signed.',
  schema: z.object({ key: limited.word }),
  sealed: ['key'],
  erased: { key: '' },
  subjects: ofTheSite,
});

export const AddressErased = defineEvent({
  type: 'AddressErased',
  ordersErasure: true,
  summary: 'Everything personal that was stored under a mail address before this event was ordered to be erased.',
  schema: z.object({ ...orderFields }),
  upcasters: [notSaid],
});

export const addressEvents = [AddressKeyMade, AddressErased] as const;

/** Stream that holds the site's key for digests of mail addresses. */
export const addressKeyStream = 'address-key';

/** Events allowed for mail addresses of visitors. An erased address may be used, and erased, again. */
export const addressSequence: Sequence & { readonly steps: Record<AddressEvent['type'], Step> } = {
  kind: 'address',
  numbered: false,
  steps: {
    AddressKeyMade: { from: [initial], to: existing },
    AddressErased: { from: [initial, erased], to: erased },
  },
};

export const addressStream = (digest: string): `address-${string}` => `address-${digest}`;
