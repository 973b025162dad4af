import { makePassword } from '#commands/credentials.ts';
import type { DomainEvent } from '#domain/kernel/event.ts';
import { defaultSite, siteStream } from '#domain/site/state.ts';
import type { Taxonomy } from '#domain/term/events.ts';
import { termStream } from '#domain/term/state.ts';
import type { Role } from '#domain/user/roles.ts';
import { userStream } from '#domain/user/state.ts';
import { below, seeded } from './random.ts';
import type { Vocabulary } from './words.ts';

export interface StreamEvent {
  readonly stream: string;
  readonly event: DomainEvent;
}

const range = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);
export const authorIds = range(1, 10);
/** The default category comes first; it is one of the 50. */
export const categoryIds = range(1, 50);
export const tagIds = range(51, 500);

/** Address of the site, the same as the server is started with: another one would be recorded as a change. */
export const siteUrl = 'http://localhost';

/** The account of the writing benches. Its password is always the same, and gives access to generated data only. */
const passwordSource = seeded(1, 9);
export const admin = { login: 'admin', ...makePassword((limit) => below(passwordSource, limit)) };

/** Header with the credentials of an administrator. */
export const asAdmin = {
  authorization: `Basic ${Buffer.from(`${admin.login}:${admin.password}`).toString('base64')}`,
};

/** Settings, accounts and terms: the events before the first post. */
export function siteEvents(seed: number, vocabulary: Vocabulary): StreamEvent[] {
  return [
    {
      stream: siteStream,
      event: { type: 'SiteConfigured', data: { ...defaultSite, url: siteUrl, name: 'Palimpsest' } },
    },
    ...authorIds.map(userAdded),
    {
      stream: userStream(1),
      event: { type: 'UserPasswordIssued', data: { id: 1, password: 'bench', name: 'bench', digest: admin.digest } },
    },
    ...categoryIds.map((id) => termCreated({ id, taxonomy: 'category', name: nameOf(id, seed, vocabulary) })),
    ...tagIds.map((id) => termCreated({ id, taxonomy: 'post_tag', name: nameOf(id, seed, vocabulary) })),
  ];
}

function userAdded(id: number): StreamEvent {
  const role: Role = id === 1 ? 'administrator' : id <= 3 ? 'editor' : 'author';
  const login = id === 1 ? admin.login : `author${id}`;
  const profile = { displayName: `Author ${id}`, slug: login, email: `${login}@example.org`, url: '', description: '' };
  return { stream: userStream(id), event: { type: 'UserAdded', data: { id, roles: [role], login, ...profile } } };
}

// The first ten categories after the default one are parents of the rest.
function termCreated({ id, taxonomy, name }: { id: number; taxonomy: Taxonomy; name: string }): StreamEvent {
  const parent = taxonomy === 'category' && id > 11 ? 2 + (id % 10) : 0;
  const data = { id, taxonomy, name, slug: `${taxonomy === 'category' ? 'c' : 't'}-${id}`, description: '', parent };
  return { stream: termStream(id), event: { type: 'TermCreated', data } };
}

function nameOf(id: number, seed: number, vocabulary: Vocabulary): string {
  return id === 1 ? 'Uncategorized' : `${vocabulary.draw(seeded(seed, 5, id))} ${id}`;
}
