import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { onAbort } from '#process/guard.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Answer, Args, Call, Route } from '../engine/types.ts';
import { admission } from './admission.ts';
import { type ConnectionLimits, createConnectionLimit } from './connection-limit.ts';
import { createJournal } from './journal.ts';
import { pollCommits } from './poll.ts';
import type { FeedReading } from './reading.ts';
import { changesSchema } from './schema.ts';
import type { Source } from './source.ts';
import { streamCommits } from './stream.ts';
import { createTurnQueue } from './turn-queue.ts';

export interface FeedOptions {
  readonly seating?: ConnectionLimits;
  /** Milliseconds. */
  readonly heartbeat?: number;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** Called with the number of open feeds whenever it changes. */
  readonly onFeeds?: ((open: number) => void) | undefined;
}

const SEATING: ConnectionLimits = { all: 1000, anonymous: 800, each: 20 };
const HEARTBEAT = 15_000;
const STREAM = 'text/event-stream';
const summary = 'Follow what changes, commit by commit';
const types = ['application/json', STREAM];

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
    if (!wantsStream(call)) return poll(reading, call).finally(leave);
    onAbort(gone, leave, () => undefined);
    const pieces = { make: () => streamCommits(reading, heartbeat), until: gone };
    return { body: { kind: 'stream', type: STREAM, pieces }, headers: streamHeaders };
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
  return since <= head ? since : refuse('rest_invalid_position', `The log ends at position ${head}.`);
}

function wantsStream({ request }: Call<Model>): boolean {
  const accepted = request.header('accept')?.toLowerCase().split(',') ?? [];
  return accepted.some((range) => range.trim().split(/[\s;]/, 1)[0] === STREAM);
}
