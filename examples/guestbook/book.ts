import { defineArea, defineEvent, type EventOf, ofUser, z } from 'palimpsest/plugin';

const Signed = defineEvent({
  type: 'guestbook.Signed',
  summary: 'Somebody left a few words.',
  schema: z.object({ user: z.int().min(1), words: z.string() }),
  sealed: ['words'],
  erased: { words: '' },
  subjects: ({ user }) => [ofUser(user)],
});

type Signing = EventOf<typeof Signed>;

/** The latest words of each signer. */
export interface Book {
  readonly entries: readonly Signing['data'][];
}

const empty: Book = { entries: [] };

export const book = defineArea({
  name: 'guestbook.book',
  events: [Signed],
  empty,
  evolve: ({ entries }, { data }) => ({ entries: [...entries.filter(({ user }) => user !== data.user), data] }),
});

/** Signs the book; returns no event if the same words are already there. */
export function sign({ entries }: Book, signed: Signing['data']): readonly Signing[] {
  const said = entries.find(({ user }) => user === signed.user);
  return said?.words === signed.words ? [] : [{ type: 'guestbook.Signed', data: signed }];
}
