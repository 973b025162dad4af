import { defineArea, defineEvent, type EventOf, limited, ofTheSite, z } from 'palimpsest/plugin';

const SaltMade = defineEvent({
  type: 'SaltMade',
  summary: 'The secret with which the builder signs texts was created.',
  schema: z.object({ salt: limited.word }),
  sealed: ['salt'],
  erased: { salt: '' },
  subjects: ofTheSite,
});

/** The secret; `''` until it is first needed. It never leaves the server. */
export interface Salt {
  readonly salt: string;
}

const none: Salt = { salt: '' };

export const builderSalt = defineArea({
  name: 'builder-salt',
  events: [SaltMade],
  empty: none,
  evolve: (_, { data }) => ({ salt: data.salt }),
});

export function makeSalt(before: Salt, salt: string): readonly EventOf<typeof SaltMade>[] {
  return before.salt === '' ? [{ type: 'SaltMade', data: { salt } }] : [];
}
