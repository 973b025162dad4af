import type { OriginLookUp } from '#domain/kernel/origin.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { eventGroups, typesNamed } from './event-summaries.ts';
import { fieldNamed, fieldNames, snake } from './fields.ts';
import { type EntryLookUp, entryMeant } from './meant.ts';
import { actorNamed, itemStream } from './names.ts';
import { positionsOf } from './period.ts';
import type { Archive, AuditQuery } from './search.ts';
import { wordsIn } from './words.ts';

/** What can be asked of the audit: the same words in addresses of pages, in the interface and on the command line. */
export const filterNames = [
  ...(['user', 'type', 'field', 'text', 'from', 'to', 'entry', 'stream', 'correlation', 'origin'] as const),
];
export type FilterName = (typeof filterNames)[number];
/** As people write it; empty: any. */
export type AuditFilter = { readonly [N in FilterName]?: string | undefined };

/** What each of them means; for the documentation of the interface and the help of the command. */
export const filterMeanings: Readonly<Record<FilterName, string>> = {
  user: 'who did it: a login, or the number of an account; "system" for automatic changes',
  type: `event types or ${eventGroups.map(({ name }) => name).join(', ')}; by commas`,
  field: `only changes of one field: ${fieldNames.map(snake).join(', ')}`,
  text: 'words that all occur in one text before or after the change',
  from: 'first day or moment, in the time zone of the site: 2026-03-01, 2026-03-01T12:00:00',
  to: 'last day or moment',
  entry: 'a post or page by its title, slug or address, or by its number; a media item by its number',
  stream: 'any other thing, by its stream: term-3, user-2, site',
  correlation: 'correlation id of a request',
  origin: 'client address, or its beginning up to a dot or colon; or words of how the writer logged in',
};

export interface FilterSource {
  readonly archive: Archive & { readonly log: Pick<EventStore, 'positionAt'> };
  readonly zone: string;
  readonly origins: OriginLookUp | undefined;
  /** The id of the account with a login, if that is known without searching the log. */
  readonly userNamed?: (login: string) => number | undefined;
  readonly entries: EntryLookUp;
}

/** Stands for the system itself in place of a login. */
export const theSystem = '(system)';

const number = /^\d{1,15}$/;
const longest = 500;

/** The query that a filter means, or what is wrong with it. */
export function auditQuery(given: AuditFilter, source: FilterSource): AuditQuery | Refusal {
  const filter = Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = given[name]?.trim();
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  ) as AuditFilter;
  const tooLong = filterNames.find((name) => (filter[name]?.length ?? 0) > longest);
  if (tooLong !== undefined) return refuse('invalid_filter', `"${tooLong}" is longer than ${longest} characters.`);
  const { archive, zone, origins } = source;
  const positions = positionsOf(filter, { log: archive.log, zone });
  if (isRefusal(positions)) return positions;
  const actor = filter.user === undefined ? undefined : actorOf(filter.user, source);
  if (isRefusal(actor)) return actor;
  const types = filter.type === undefined ? undefined : typesOf(filter.type);
  if (isRefusal(types)) return types;
  const field = filter.field === undefined ? undefined : fieldNamed(filter.field);
  if (isRefusal(field)) return field;
  const stream = streamOf(filter, source);
  if (isRefusal(stream)) return stream;
  const words = filter.text === undefined ? undefined : wordsIn(filter.text);
  if (words?.length === 0) return refuse('invalid_text', 'There is no word to look for.');
  const from = filter.origin === undefined ? {} : fromOrigin(filter.origin, origins);
  return { ...positions, actor, types, field, words, stream, correlationId: filter.correlation, ...from };
}

function streamOf({ entry, stream }: AuditFilter, { archive, entries }: FilterSource): string | undefined | Refusal {
  if (entry === undefined) return stream;
  if (stream !== undefined) return refuse('invalid_filter', '"entry" and "stream" exclude each other.');
  const id = entryMeant(entry, entries);
  return isRefusal(id) ? id : itemStream(id, archive.log);
}

function actorOf(user: string, { archive, userNamed }: FilterSource): number | null | Refusal {
  if (user === theSystem || user === 'system') return null;
  const id = userNamed?.(user) ?? actorNamed(user, archive) ?? (number.test(user) ? Number(user) : null);
  if (id !== null) return id;
  const hint =
    'An erased account has no name: it is found by its number, and numbers are listed by the type UserErased.';
  return refuse('invalid_username', `There is no user "${user}". ${hint}`);
}

function typesOf(words: string): readonly string[] | Refusal {
  const types = words.split(',').map((word) => ({ word: word.trim(), types: typesNamed(word.trim()) }));
  const unknown = types.find((one) => one.types === null);
  if (unknown !== undefined) return refuse('invalid_type', `There is no event type "${unknown.word}".`);
  return types.flatMap((one) => one.types ?? []);
}

function fromOrigin(text: string, origins: OriginLookUp | undefined): Pick<AuditQuery, 'correlationIds' | 'holds'> {
  const commits = origins?.from(text) ?? [];
  const known = new Set(commits.map(({ position, correlationId }) => `${position} ${correlationId}`));
  return {
    correlationIds: [...new Set(commits.map(({ correlationId }) => correlationId))],
    holds: ({ position, commit: { i, n }, correlationId }: StoredEvent) =>
      known.has(`${position - i + n - 1} ${correlationId}`),
  };
}
