import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import { ofUser } from '#domain/kernel/subject.ts';
import { defineArea } from '#domain/plugins/area.ts';

const GuestbookSigned = defineEvent({
  type: 'GuestbookSigned',
  summary: 'Somebody left a few words.',
  schema: z.object({ user: z.int().min(1), words: z.string() }),
  sealed: ['words'],
  erased: { words: '' },
  subjects: ({ data }) => [ofUser(data.user)],
});

type Signed = EventOf<typeof GuestbookSigned>;

/** The latest words of each signer. */
export interface Guestbook {
  readonly entries: readonly Signed['data'][];
}

const nobody: Guestbook = { entries: [] };

export const guestbook = defineArea({
  name: 'guestbook',
  events: [GuestbookSigned],
  empty: nobody,
  evolve: ({ entries }, { data }) => ({ entries: [...entries.filter(({ user }) => user !== data.user), data] }),
});

/** Signs the book; returns no event if the same words are already there. */
export function sign(book: Guestbook, signed: Signed['data']): readonly Signed[] {
  const said = book.entries.find(({ user }) => user === signed.user);
  return said?.words === signed.words ? [] : [{ type: 'GuestbookSigned', data: signed }];
}
