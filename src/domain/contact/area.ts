import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import { ofAddress, ofItem } from '#domain/kernel/subject.ts';
import { defineArea } from '../plugins/area.ts';

const id = z.int().min(1);

const ContactMessageReceived = defineEvent({
  type: 'ContactMessageReceived',
  summary: 'A visitor sent a message by a contact form.',
  schema: z.object({
    id,
    form: id.describe('page that the form is on'),
    address: limited.word.describe('digest of the mail address of the sender'),
    name: limited.name,
    email: limited.word,
    subject: limited.title,
    message: limited.paragraph,
    ip: limited.word,
    agent: limited.title.describe('the program that sent it, as it calls itself'),
  }),
  sealed: ['name', 'email', 'subject', 'message', 'ip', 'agent'],
  erased: { name: '', email: '', subject: '', message: '', ip: '', agent: '' },
  subjects: ({ data: { form, address } }) => [...ofItem(form), ofAddress(address)],
});

const ContactMessageDeleted = defineEvent({
  type: 'ContactMessageDeleted',
  summary: 'A message that was sent by a contact form was deleted.',
  schema: z.object({ id }),
});

export type ContactEvent = EventOf<typeof ContactMessageReceived> | EventOf<typeof ContactMessageDeleted>;
type Received = EventOf<typeof ContactMessageReceived>['data'];

/** A stored message; `at`: UTC, ISO 8601 with milliseconds. */
export type ContactMessage = Omit<Received, 'address'> & { readonly at: string };

/** One message, or under `onlyKey` what is known of all. */
export interface Contact {
  readonly message: ContactMessage | null;
  /** Highest id ever assigned; 0: none. */
  readonly last: number;
  readonly count: number;
  readonly recent: readonly { readonly id: number; readonly at: string }[];
}

const empty: Contact = { message: null, last: 0, count: 0, recent: [] };

export const contact = defineArea({
  name: 'contact',
  events: [ContactMessageReceived, ContactMessageDeleted],
  empty,
  keysOf: ({ data }) => ['', String(data.id)],
  evolve(document, { type, data }, { key, at }) {
    if (type === 'ContactMessageDeleted') {
      if (key !== '') return empty;
      const recent = document.recent.filter((one) => one.id !== data.id);
      return { ...document, count: document.count - 1, recent };
    }
    const { address: _, ...message } = data;
    if (key !== '') return { ...empty, message: { ...message, at } };
    const recent = [...recently(document, at), { id: data.id, at }];
    return { message: null, last: data.id, count: document.count + 1, recent };
  },
});

/** The messages of the hour before a time (UTC, ISO 8601). */
export function recently({ recent }: Pick<Contact, 'recent'>, at: string): Contact['recent'] {
  return recent.filter((one) => Date.parse(at) - Date.parse(one.at) < hour);
}

/** In milliseconds. */
const hour = 3_600_000;
