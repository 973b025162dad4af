import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { takesTokens } from '#commands/token-viewer.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { tools } from '#domain/tools/area.ts';
import { strongest, type Viewer } from '#domain/user/roles.ts';
import { endOfAccount } from '#domain/user/state.ts';
import { after, onAbort } from '#process/guard.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Answer, Args, Call, Route } from '../engine/types.ts';
import { asksForEvents, EVENT_STREAM } from '../message/event-stream.ts';
import { BEHIND } from '../message/limits.ts';
import { createJournal } from './journal.ts';
import { pollCommits } from './poll.ts';
import { createTurnQueue, type FeedReading } from './reading.ts';
import { changesSchema } from './schema.ts';
import type { Source } from './source.ts';
import { streamCommits } from './stream.ts';

export interface FeedOptions {
  readonly seating?: ConnectionLimits;
  /** Milliseconds. */
  readonly heartbeat?: number;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** Called with the number of open feeds whenever it changes. */
  readonly onFeeds?: ((open: number) => void) | undefined;
}

interface ConnectionLimits {
  readonly all: number;
  readonly anonymous: number;
  readonly each: number;
}

/** Takes a seat. Returns a function that gives it back (further calls do nothing), or null if none is free. */
export type ReserveConnection = (viewer: Viewer) => (() => void) | null;

const SEATING: ConnectionLimits = { all: 1000, anonymous: 800, each: 20 };
const HEARTBEAT = 15_000;
const summary = 'Follow what changes, commit by commit';
const types = ['application/json', EVENT_STREAM];

export const feedArgs = {
  since: {
    schema: z.int().min(0).describe('Position after which the commits begin. Default: only future commits.'),
  },
  wait: {
    schema: z.int().min(0).max(30).default(0).describe('Seconds to wait for a commit if there is none.'),
  },
  limit: {
    schema: z.int().min(1).max(100).default(100).describe('Maximum number of commits to be returned.'),
  },
} satisfies Args<Model>;

const FULL = refuse('rest_too_many_readers', 'Too many readers follow the changes. Please try again later.');
const headers = { 'Cache-Control': 'no-store' };
// A connection is not reused after a stream, and proxies must not buffer pieces.
const streamHeaders = { ...headers, Connection: 'close', 'X-Accel-Buffering': 'no' };

/** The live feed: the changes of each commit that are visible to the viewer. An addition to the reference system. */
export function changesRoutes(source: Source, options: FeedOptions = {}): readonly Route<Model, Session>[] {
  const { seating = SEATING, heartbeat = HEARTBEAT, clock } = options;
  const shared = { source, journal: createJournal(source), turn: createTurnQueue() };
  const reserveConnection = createConnectionLimit(seating, options.onFeeds);

  const query = (call: Call<Model>): Answer | Refusal | Promise<Answer> => {
    const from = beginning(call, source);
    if (isRefusal(from)) return from;
    const leave = reserveConnection(call.viewer);
    if (leave === null) return FULL;
    const gone = admission(call.viewer, source, call.request.gone(), clock?.());
    const reading = { ...shared, viewer: call.viewer, gone, from };
    if (!asksForEvents(call.request.header('accept'))) return poll(reading, call).finally(leave);
    onAbort(gone, leave, () => undefined);
    const pieces = { make: () => streamCommits(reading, heartbeat), until: gone };
    return { body: { kind: 'stream', type: EVENT_STREAM, pieces }, headers: streamHeaders };
  };
  return [
    {
      namespace: 'cms/v2',
      pattern: '/cms/v2/changes',
      schema: changesSchema,
      endpoints: [{ methods: ['GET'], summary, types, args: feedArgs, permission: () => null, query, depends: null }],
    },
  ];
}

async function poll(reading: FeedReading, { params, request }: Call<Model>): Promise<Answer> {
  const wait = Number(params['wait']) * 1000;
  const polled = pollCommits(reading, { wait, limit: Number(params['limit']) });
  const value = await (request.waits?.during('changes', polled) ?? polled);
  return { body: { kind: 'json', value }, headers };
}

/** The position to begin after. `Last-Event-ID` takes precedence over `since`, which stays the same when a client reconnects. */
function beginning({ params, request }: Call<Model>, { model }: Source): number | Refusal {
  const head = model().position;
  const last = request.header('last-event-id')?.trim() ?? '';
  if (last !== '' && !/^\d{1,15}$/.test(last)) {
    return refuse('rest_invalid_position', 'Last-Event-ID is not a position.');
  }
  const since = last === '' ? params['since'] : Number(last);
  if (typeof since !== 'number') return head;
  if (since <= head) return since;
  // The client got that position from another node, which is ahead of this one.
  if (last !== '' && asksForEvents(request.header('accept'))) return BEHIND;
  return refuse('rest_invalid_position', `The log ends at position ${head}.`);
}

/**
 * Returns a signal that is aborted when the client disconnects (`gone`), or when the viewer could no longer log in as before: their
 * role changed, their account was disabled or has ended, or the password or token was withdrawn, has expired or is no longer accepted. `now`:
 * milliseconds since 1970.
 */
export function admission(viewer: Viewer, { model, changed }: Source, gone: AbortSignal, now?: number): AbortSignal {
  if (viewer.id === 0 || gone.aborted) return gone;
  const then = loginOf(viewer, model());
  const ended = new AbortController();
  const end = () => {
    stopListening();
    stopWatching();
    if (stopClock) stopClock();
    ended.abort();
  };
  const stopListening = changed(() => {
    if (!stillHolds(viewer, then, model)) end();
  });
  const until = Math.min(viewer.token?.until ?? Number.POSITIVE_INFINITY, then.ends);
  const left = now === undefined ? longestTimer : until - now;
  const stopClock = until < Number.POSITIVE_INFINITY && after(Math.min(left, longestTimer), end, () => ended.abort());
  const stopWatching = onAbort(gone, end, () => ended.abort());
  return ended.signal;
}

/** The longest possible timer, in milliseconds. Clients that follow for longer have to reconnect. */
const longestTimer = 2 ** 31 - 1;

/** Called while other readers are notified of a commit, so it must not throw: a viewer who cannot be looked up loses access. */
function stillHolds(viewer: Viewer, then: Login, model: Source['model']): boolean {
  try {
    if (model().plugin(tools).switches.disable_authentication_password) return false;
    if (viewer.token !== undefined && !takesTokens(model())) return false;
    const user = model().user(viewer.id);
    if (user === undefined || user.disabled || strongest(user.roles) !== viewer.role) return false;
    const { passwords, ends } = loginOf(viewer, model());
    return ends === then.ends && then.passwords.every((password) => passwords.includes(password));
  } catch {
    return false;
  }
}

/** What a viewer is logged in by. */
interface Login {
  readonly passwords: readonly string[];
  /** When the account ends, in milliseconds since 1970. */
  readonly ends: number;
}

function loginOf({ id, password }: Viewer, model: Model): Login {
  const user = model.user(id);
  const passwords = user?.passwords.filter((one) => password === undefined || one.id === password) ?? [];
  const ends = user === undefined ? Number.POSITIVE_INFINITY : endOfAccount(user, model.site().timezone);
  return { passwords: passwords.map((one) => one.id), ends };
}

function createConnectionLimit(
  { all, anonymous, each }: ConnectionLimits,
  onTaken: (total: number) => void = () => undefined,
): ReserveConnection {
  const taken = new Map<number, number>();
  let total = 0;
  return ({ id }) => {
    const own = taken.get(id) ?? 0;
    if (total >= all || own >= (id === 0 ? anonymous : each)) return null;
    taken.set(id, own + 1);
    total += 1;
    onTaken(total);
    let sits = true;
    return () => {
      if (!sits) return;
      sits = false;
      total -= 1;
      onTaken(total);
      const left = (taken.get(id) ?? 1) - 1;
      if (left === 0) taken.delete(id);
      else taken.set(id, left);
    };
  };
}
