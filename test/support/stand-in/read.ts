import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { type ServerWritableStream, status } from '@grpc/grpc-js';
import type { Faults } from './faults.ts';
import { refusalOf } from './refusals.ts';
import type { Storage, StoredRecord } from './storage.ts';

export interface ReadParts {
  readonly storage: Storage;
  readonly faults: Faults;
  /** Open calls, so that they can be cut off. */
  readonly open: Set<ReadCall>;
}

export type ReadCall = ServerWritableStream<streams.ReadReq, Buffer>;
type Options = streams.ReadReq.Options;
type View = NonNullable<ReturnType<Storage['view']>>;

/** Serves a read or a subscription: both arrive as the same call. */
export async function handleRead(parts: ReadParts, call: ReadCall): Promise<void> {
  const { storage, faults, open } = parts;
  const options = call.request.getOptions();
  if (options === undefined || faults.silent) return;
  const refusal = refusalOf(faults, call.metadata);
  if (refusal !== null) {
    call.emit('error', refusal);
    return;
  }
  open.add(call);
  call.on('close', () => open.delete(call));
  call.on('cancelled', () => open.delete(call));
  call.on('error', () => open.delete(call));
  if (options.hasSubscription()) return subscribe(parts, call, options);
  const view = storage.view(nameOf(options));
  if (view === null) await send(call, encode(notFound(options)));
  for (const record of view === null ? [] : selected(view, options)) {
    if (!open.has(call)) return;
    await send(call, encoded(record, options));
  }
  if (open.has(call)) call.end();
}

/** Ends calls as a stopping node does. */
export function cutOff(open: Set<ReadCall>): void {
  endAll(open, { code: status.UNAVAILABLE, details: 'Server is going away' });
}

/** Ends calls as a server does whose live subscriptions are read too slowly. */
export function endSlow(open: Set<ReadCall>): void {
  const details = 'Consumer too slow to handle event while live. Client resubscription required.';
  endAll(open, { code: status.ABORTED, details });
}

function endAll(open: Set<ReadCall>, reason: { readonly code: status; readonly details: string }): void {
  for (const call of open) call.emit('error', reason);
  open.clear();
}

/** Sends the existing events, then new ones, until the caller cancels. */
async function subscribe({ storage, faults, open }: ReadParts, call: ReadCall, options: Options): Promise<void> {
  const stream = nameOf(options);
  let next = firstAfter(options);
  let grown = Promise.withResolvers<void>();
  const stop = storage.onGrowth((name) => {
    if (name === stream) grown.resolve();
  });
  call.on('cancelled', () => grown.resolve());
  await send(call, encode(confirmation()));
  for (let first = true; open.has(call); first = false) {
    // Created before reading, so that growth meanwhile is not missed.
    grown = Promise.withResolvers();
    const { records, first: visible } = storage.view(stream) ?? { records: [], first: 0 };
    for (next = Math.max(next, visible); next < records.length; next++) {
      if (!open.has(call) || faults.silent || faults.mute) break;
      await send(call, encoded(records[next] as StoredRecord, options));
    }
    if (first) await send(call, encode(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp())));
    await grown.promise;
  }
  stop();
}

/** A subscription begins after the revision that it names. */
function firstAfter(options: Options): number {
  const stream = options.getStream();
  return stream?.hasRevision() ? Number(stream.getRevision()) + 1 : 0;
}

/** The records of a read that begins at a revision or at an end of the stream. */
function* selected({ records, first }: View, options: Options): Generator<StoredRecord> {
  const stream = options.getStream();
  const from = stream?.hasRevision() ? Number(stream.getRevision()) : null;
  const backwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
  const last = records.length - 1;
  const step = backwards ? -1 : 1;
  let at = backwards ? Math.min(from ?? last, last) : Math.max(from ?? first, first);
  for (let left = Number(options.getCount()); left > 0 && at >= first && at <= last; left -= 1, at += step) {
    yield records[at] as StoredRecord;
  }
}

async function send(call: ReadCall, message: Buffer): Promise<void> {
  if (call.cancelled || call.destroyed) return;
  if (!call.write(message)) await drained(call);
}

const ends = ['drain', 'cancelled', 'close', 'error'];

function drained(call: ReadCall): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      for (const event of ends) call.off(event, end);
      resolve();
    };
    for (const event of ends) call.on(event, end);
  });
}

function nameOf(options: Options): string {
  return Buffer.from(options.getStream()?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');
}

/** Encodes a record once for all readers. */
function encoded(record: StoredRecord, options: Options): Buffer {
  record.encoded ??= encode(eventOf(record, nameOf(options)));
  return record.encoded;
}

function encode(response: streams.ReadResp): Buffer {
  return Buffer.from(response.serializeBinary());
}

/** In a millisecond. */
const TICKS = 10_000;

function eventOf(
  { created, id, revision, type, contentType, data, metadata }: StoredRecord,
  stream: string,
): streams.ReadResp {
  const event = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(id))
    .setStreamIdentifier(identifier(stream))
    .setStreamRevision(String(revision))
    .setPreparePosition(String(revision))
    .setCommitPosition(String(revision))
    .setCustomMetadata(metadata)
    .setData(data);
  event
    .getMetadataMap()
    .set('type', type)
    .set('content-type', contentType)
    .set('created', String(created * TICKS));
  return new streams.ReadResp().setEvent(
    new streams.ReadResp.ReadEvent().setEvent(event).setCommitPosition(String(revision)),
  );
}

function identifier(stream: string): shared.StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Uint8Array.from(Buffer.from(stream)));
}

function notFound(options: Options): streams.ReadResp {
  const missing = new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifier(nameOf(options)));
  return new streams.ReadResp().setStreamNotFound(missing);
}

function confirmation(): streams.ReadResp {
  const confirmed = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId('subscription');
  return new streams.ReadResp().setConfirmation(confirmed);
}
