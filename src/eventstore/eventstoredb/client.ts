import { EventStoreDBClient, type ResolvedEvent, START } from '@eventstore/db-client';
import { credentialsIn, withShortGossip } from './address.ts';
import { isStreamMissing } from './faults.ts';

export interface PhysicalEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface PlacedEvent {
  /** Place in the stream, from 0. */
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly data: Uint8Array;
  /** JSON is parsed. */
  readonly metadata: unknown;
  /** When the server stored it, milliseconds since 1970 by its clock; null if unknown. */
  readonly created: number | null;
}

export interface StreamReading {
  /** First revision, inclusive. Default: the beginning, or the end when reading backwards. */
  readonly from?: number;
  readonly backwards?: boolean;
  /** Maximum number of events. Fewer are returned if they are large, but at least one. */
  readonly limit: number;
  /** Milliseconds within which each event must arrive. Default: the deadline of the client. */
  readonly within?: number | undefined;
}

export interface StreamFollowing {
  /** Whether an event is the last of an append. Events before it are held back a few milliseconds, so that an append arrives whole. */
  readonly isLast: (event: PlacedEvent) => boolean;
  /** Called with new events, at most a few hundred at a time, and never while an earlier call is running. */
  readonly onEvents: (events: readonly PlacedEvent[]) => Promise<void>;
  /** Called once, when no more events will arrive. */
  readonly onEnd: (error: unknown) => void;
}

export interface StreamClient {
  /** Appends after a revision (-1: to a stream that does not exist; `any`: at its end). Throws the client's errors. */
  append(stream: string, events: readonly PhysicalEvent[], behind: number | 'any'): Promise<void>;
  /** Reads events of a stream; none if it does not exist. */
  read(stream: string, reading: StreamReading): Promise<readonly PlacedEvent[]>;
  setMetadata(stream: string, event: PhysicalEvent): Promise<void>;
  /** Follows a stream after a revision (-1: from its beginning). Returns a function that stops it. */
  follow(stream: string, behind: number, following: StreamFollowing): () => void;
  close(): Promise<void>;
}

export interface ClientOptions {
  readonly url: string;
  /** Milliseconds within which a call must be answered. */
  readonly deadline: number;
}

/** Bytes after which a read ends, however many events it asked for: all of them are in memory at once. */
const READ_BYTES = 16 * 1024 * 1024;
/** Events buffered for a subscriber before reading pauses. */
const HELD = 1024;
/** Milliseconds for which the end of an append is awaited. */
const REST = 5;
const ANONYMOUS = { username: '', password: '' };

/** Wraps the client so that every call ends: closes and handles what the client leaves open or unhandled. */
export function createStreamClient({ url, deadline }: ClientOptions): StreamClient {
  const connect = () => EventStoreDBClient.connectionString(withShortGossip(url));
  let client = connect();
  /** Replaces a client whose connection no longer responds; a new connection may also find another leader. */
  const renew = (silent: EventStoreDBClient) => {
    if (silent !== client) return;
    client = connect();
    void discard(silent);
  };
  // With credentials the client appends by separate calls with a deadline. Otherwise it uses one stream for all appends of the process,
  // without a deadline, and one fault on it fails the appends of every client.
  const credentials = credentialsIn(url) ?? ANONYMOUS;
  // A node that is not the leader may lack the newest events.
  const requiresLeader = true;
  const append = async (
    stream: string,
    events: readonly PhysicalEvent[],
    behind: number | 'any',
    type: ContentType,
  ) => {
    const expectedRevision = behind === 'any' ? 'any' : behind < 0 ? 'no_stream' : BigInt(behind);
    const made = events.map((event) => ({ ...event, contentType: type }) as never);
    await client.appendToStream(stream, made, { expectedRevision, credentials, requiresLeader, deadline });
  };
  return {
    append: (stream, events, behind) => append(stream, events, behind, 'application/octet-stream'),
    setMetadata: (stream, event) => append(`$$${stream}`, [event], 'any', 'application/json'),
    read: (stream, { from, backwards = false, limit, within = deadline }) => {
      const asked = client;
      const reading = asked.readStream(stream, {
        maxCount: limit,
        credentials,
        requiresLeader,
        direction: backwards ? 'backwards' : 'forwards',
        fromRevision: from === undefined ? (backwards ? 'end' : 'start') : BigInt(from),
      });
      return gather(reading, within, () => renew(asked)).finally(() => reading.cancel().catch(() => undefined));
    },
    follow: (stream, behind, following) => {
      const fromRevision = behind < 0 ? START : BigInt(behind);
      const subscription = client.subscribeToStream(stream, { fromRevision, credentials });
      return pump(subscription, following, () => void subscription.unsubscribe().catch(() => undefined));
    },
    close: () => client.dispose(),
  };
}

/** Disposes of a client and closes its connection, which the client's own `dispose` leaves open. */
async function discard(client: EventStoreDBClient): Promise<void> {
  const { getChannel } = client as unknown as { getChannel(): Promise<{ close(): void }> };
  await client.dispose();
  await getChannel().then(
    (channel) => channel.close(),
    () => undefined,
  );
}

type ContentType = 'application/json' | 'application/octet-stream';
interface Source {
  on(event: 'data', listener: (resolved: ResolvedEvent) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

function gather(source: Source, deadline: number, onSilence: () => void): Promise<readonly PlacedEvent[]> {
  const events: PlacedEvent[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<readonly PlacedEvent[]>();
  const timer = setTimeout(() => {
    onSilence();
    reject(new Error('The event store does not answer'));
  }, deadline);
  let room = READ_BYTES;
  source.on('data', (resolved) => {
    if (room <= 0) return;
    timer.refresh();
    for (const event of placed(resolved)) {
      events.push(event);
      room -= bytesOf(event);
    }
    if (room <= 0) resolve(events);
  });
  source.on('end', () => resolve(events));
  source.on('error', (error) => (isStreamMissing(error) ? resolve([]) : reject(error)));
  return promise.finally(() => clearTimeout(timer));
}

function pump(source: Source, { isLast, onEvents, onEnd }: StreamFollowing, unsubscribe: () => void): () => void {
  let held: PlacedEvent[] = [];
  let busy = false;
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    ended = true;
    clearTimeout(timer);
    unsubscribe();
  };
  // Also ends it when the callback throws; otherwise it would stay open without delivering anything.
  const end = (error: unknown) => {
    if (ended) return;
    stop();
    onEnd(error);
  };
  const deliver = async () => {
    if (ended) return;
    const events = held;
    held = [];
    source.resume();
    await onEvents(events);
    busy = false;
    arrange();
  };
  const begin = () => {
    clearTimeout(timer);
    timer = undefined;
    busy = true;
    // Events that arrive together are delivered together.
    setImmediate(() => deliver().catch(end));
  };
  const arrange = () => {
    const last = held.at(-1);
    if (last === undefined || busy || ended) return;
    if (isLast(last) || held.length >= HELD) begin();
    else timer ??= setTimeout(begin, REST);
  };
  source.on('data', (resolved) => {
    held.push(...placed(resolved));
    if (held.length >= HELD) source.pause();
    arrange();
  });
  source.on('error', end);
  source.on('end', () => end(new Error('The subscription ended')));
  source.on('close', () => end(new Error('The subscription was closed')));
  return stop;
}

function bytesOf({ data, metadata }: PlacedEvent): number {
  const texts = Object.values(metadata ?? {}).filter((value) => typeof value === 'string');
  return texts.reduce((sum, text) => sum + text.length, data.length);
}

function placed({ event }: ResolvedEvent): PlacedEvent[] {
  if (event === undefined) return [];
  const { id, type, metadata } = event;
  const data = event.data instanceof Uint8Array ? event.data : Buffer.from(JSON.stringify(event.data));
  return [{ revision: Number(event.revision), id, type, data, metadata, created: timeOf(event) }];
}

function timeOf({ created }: NonNullable<ResolvedEvent['event']>): number | null {
  const time = created instanceof Date ? created.getTime() : 0;
  return time > 0 ? time : null;
}
