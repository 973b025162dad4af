import { z } from 'zod';
import { defineEvent, type EventOf } from '#domain/kernel/event.ts';
import { limited } from '#domain/kernel/limits.ts';
import { ofItem, ofUser } from '#domain/kernel/subject.ts';
import { defineArea, onlyKey } from '../plugins/area.ts';

const id = z.int().min(1);
const user = z.int().min(1).describe('user who did it');
const which = { release: id };
const request = id.describe('number of the request in the release');
const digest = limited.word.describe('SHA-256 of all requests of the release, in order');

const ids = z.object({ from: id, to: id }).describe('a range of ids: `from` is the first, `to` follows the last');

const ReleaseOpened = defineEvent({
  type: 'ReleaseOpened',
  summary: 'A release was begun: changes that wait until all of them are published together.',
  schema: z.object({ ...which, by: user, name: limited.name }),
  sealed: ['name'],
  erased: { name: '' },
  subjects: ({ data }) => [ofUser(data.by)],
});

const ReleaseChanged = defineEvent({
  type: 'ReleaseChanged',
  summary: 'Name or time of a release changed; only what changed is recorded.',
  schema: z.object({
    ...which,
    by: user,
    name: limited.name.exactOptional(),
    at: limited.word
      .nullable()
      .exactOptional()
      .describe('when it is published, UTC, to the second; null: when somebody does it'),
  }),
  sealed: ['name'],
  erased: { name: '' },
  subjects: ({ data }) => [ofUser(data.by)],
});

/** The item that a request is about, and those that it makes. */
function itemsOf(data: { readonly item: number; readonly ids?: { readonly from: number; readonly to: number } }) {
  const { item, ids: made = { from: 0, to: 0 } } = data;
  return [...(item === 0 ? [] : [item]), ...Array.from({ length: made.to - made.from }, (_, i) => made.from + i)];
}

const ReleaseRequested = defineEvent({
  type: 'ReleaseRequested',
  summary: 'A write was validated and put into a release, with which it is carried out.',
  schema: z.object({
    ...which,
    request,
    by: user,
    method: limited.word,
    path: limited.address,
    item: z.int().min(0).describe('the item in the path; 0: none'),
    query: limited.paragraph.describe('its parameters, as JSON'),
    body: limited.document.describe('its body, as JSON'),
    ids: ids.exactOptional().describe('ids of the items that it makes'),
    expects: limited
      .list(z.object({ stream: limited.word, field: limited.word, digest: limited.word }))
      .describe('what it changes, with the SHA-256 of the value when it was asked for'),
  }),
  sealed: ['query', 'body'],
  erased: { query: '{}', body: '{}' },
  subjects: ({ data }) => [ofUser(data.by), ...itemsOf(data).flatMap(ofItem)],
});

const ReleaseRequestDropped = defineEvent({
  type: 'ReleaseRequestDropped',
  summary: 'A write was taken out of a release.',
  schema: z.object({ ...which, request }),
});

const ReleaseApproved = defineEvent({
  type: 'ReleaseApproved',
  summary: 'Somebody approved exactly what a release contained; a change of its requests makes that void.',
  schema: z.object({ ...which, by: user, digest, meaning: limited.name.describe('in words: reviewed, responsible') }),
  sealed: ['meaning'],
  erased: { meaning: '' },
  subjects: ({ data }) => [ofUser(data.by)],
});

const ReleasePublished = defineEvent({
  type: 'ReleasePublished',
  summary: 'All requests of a release were carried out by this commit.',
  schema: z.object({ ...which, digest, ids: ids.exactOptional().describe('the ids that were kept for it') }),
});

const ReleaseDropped = defineEvent({
  type: 'ReleaseDropped',
  summary: 'A release was given up: its requests are never carried out.',
  schema: z.object(which),
});

const ReleaseHeldUp = defineEvent({
  type: 'ReleaseHeldUp',
  summary: 'A release was not published at its time, because something was in the way. Its time is removed.',
  schema: z.object({ ...which, code: limited.word.describe('why, as the code of a refusal') }),
});

const releaseEvents = [
  ReleaseOpened,
  ReleaseChanged,
  ReleaseRequested,
  ReleaseRequestDropped,
  ReleaseApproved,
  ReleasePublished,
  ReleaseDropped,
  ReleaseHeldUp,
] as const;

export type ReleaseEvent = EventOf<(typeof releaseEvents)[number]>;
export type HeldRequest = EventOf<typeof ReleaseRequested>['data'];

export interface Approval {
  readonly by: number;
  /** UTC, ISO 8601 with milliseconds. */
  readonly at: string;
  readonly digest: string;
  readonly meaning: string;
}

export interface Release {
  readonly id: number;
  readonly name: string;
  readonly by: number;
  readonly openedAt: string;
  /** When it is published, UTC, to the second; null: when somebody does it. */
  readonly at: string | null;
  readonly status: 'open' | 'published' | 'dropped';
  /** When it was published or dropped; null: it is open. */
  readonly endedAt: string | null;
  /** Why it was not published at its time, as the code of a refusal; null: it was not held up since it last changed. */
  readonly heldUp: string | null;
  /** Numbers of its requests, in order. */
  readonly requests: readonly number[];
  /** The highest number of a request that it ever had. */
  readonly last: number;
  readonly approvals: readonly Approval[];
}

/** One of three: all releases, a release, a request of one. */
export interface ReleaseDocument {
  readonly last: number;
  /** When each is published that has a time, by id. */
  readonly timed: Readonly<Record<string, string>>;
  readonly release: Release | null;
  readonly request: HeldRequest | null;
}

const empty: ReleaseDocument = { last: 0, timed: {}, release: null, request: null };

export const releases = defineArea({
  name: 'releases',
  events: releaseEvents,
  empty,
  keysOf: ({ type, data }) => {
    const isOfRequest = type === 'ReleaseRequested' || type === 'ReleaseRequestDropped';
    const own = isOfRequest ? [heldKey(data.release, data.request)] : [];
    return [...(isOfRequest || type === 'ReleaseApproved' ? [] : [onlyKey]), releaseKey(data.release), ...own];
  },
  evolve: (document, event, { key, at }) => {
    if (key === onlyKey) return listed(document, event);
    if (key === releaseKey(event.data.release)) return { ...empty, release: evolved(document.release, event, at) };
    return event.type === 'ReleaseRequested' ? { ...empty, request: event.data } : empty;
  },
});

export function releaseKey(release: number): string {
  return `release ${release}`;
}

export function heldKey(release: number, number: number): string {
  return `request ${release} ${number}`;
}

function listed(all: ReleaseDocument, { type, data }: ReleaseEvent): ReleaseDocument {
  const { release: id } = data;
  const { [id]: _, ...others } = all.timed;
  switch (type) {
    case 'ReleaseOpened':
      return { ...all, last: id };
    case 'ReleaseChanged':
      if (data.at === undefined) return all;
      return { ...all, timed: data.at === null ? others : { ...others, [id]: data.at } };
    case 'ReleasePublished':
    case 'ReleaseDropped':
      return { ...all, timed: others };
    case 'ReleaseHeldUp':
      return { ...all, timed: others };
    default:
      return all;
  }
}

function evolved(release: Release | null, { type, data }: ReleaseEvent, at: string): Release | null {
  if (type === 'ReleaseOpened') {
    const begun = { id: data.release, name: data.name, by: data.by, openedAt: at, at: null, endedAt: null };
    return { ...begun, status: 'open', heldUp: null, requests: [], last: 0, approvals: [] };
  }
  if (release === null) return null;
  switch (type) {
    case 'ReleaseChanged': {
      const { release: _, by: __, ...changes } = data;
      return { ...release, ...changes, heldUp: null };
    }
    case 'ReleaseRequested': {
      const others = release.requests.filter((number) => number !== data.request);
      const requests = [...others, data.request].sort((a, b) => a - b);
      return { ...release, requests, last: Math.max(release.last, data.request) };
    }
    case 'ReleaseRequestDropped':
      return { ...release, requests: release.requests.filter((number) => number !== data.request) };
    case 'ReleaseApproved': {
      const { by, digest: approved, meaning } = data;
      const others = release.approvals.filter((one) => one.by !== by);
      return { ...release, approvals: [...others, { by, at, digest: approved, meaning }] };
    }
    case 'ReleasePublished':
      return { ...release, status: 'published', endedAt: at, at: null };
    case 'ReleaseDropped':
      return { ...release, status: 'dropped', endedAt: at, at: null };
    case 'ReleaseHeldUp':
      return { ...release, at: null, heldUp: data.code };
    default:
      return type satisfies never;
  }
}
