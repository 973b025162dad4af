import type { Writable } from 'node:stream';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { type ServerWritableStream, status } from '@grpc/grpc-js';
import { eventMessage } from './event-message.ts';
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
  const name = nameOf(options);
  const view = storage.view(name);
  if (view === null) await send(call, [encode(notFound(options))]);
  for (const records of view === null ? [] : inBatches(selected(view, options))) {
    if (!open.has(call)) return;
    await send(
      call,
      records.map((record) => eventMessage(record, name)),
    );
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
  await send(call, [encode(confirmation())]);
  for (let first = true; open.has(call); first = false) {
    // Created before reading, so that growth meanwhile is not missed.
    grown = Promise.withResolvers();
    const { records, first: visible } = storage.view(stream) ?? { records: [], first: 0 };
    next = Math.max(next, visible);
    while (next < records.length && open.has(call) && !faults.silent && !faults.mute) {
      const batch = records.slice(next, next + BATCH).map((record) => eventMessage(record, stream));
      next += batch.length;
      await send(call, batch);
    }
    if (first) await send(call, [encode(new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp()))]);
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

/** Messages sent at once. */
const BATCH = 64;

function* inBatches<T>(all: Iterable<T>): Generator<T[]> {
  let batch: T[] = [];
  for (const one of all) {
    batch.push(one);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The transport below a call. The call itself would wait after each message, as no real server does. */
interface Sender {
  readonly stream: Pick<Writable, 'cork' | 'uncork'>;
  sendMessage(message: Buffer, onSent: () => void): void;
}

const ends = ['cancelled', 'close', 'error'];

/** Resolves when the messages have been sent, or the call has ended. */
function send(call: ReadCall, messages: readonly Buffer[]): Promise<void> {
  if (call.cancelled || call.destroyed) return Promise.resolve();
  const { call: sender } = call as unknown as { readonly call: Sender };
  return new Promise((resolve) => {
    let left = messages.length;
    const end = () => {
      for (const event of ends) call.off(event, end);
      resolve();
    };
    for (const event of ends) call.on(event, end);
    sender.stream.cork();
    for (const message of messages) {
      sender.sendMessage(message, () => {
        left -= 1;
        if (left === 0) end();
      });
    }
    sender.stream.uncork();
  });
}

function nameOf(options: Options): string {
  return Buffer.from(options.getStream()?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');
}

function encode(response: streams.ReadResp): Buffer {
  return Buffer.from(response.serializeBinary());
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
