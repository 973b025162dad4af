import { setTimeout as wait } from 'node:timers/promises';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { Metadata, type ServerReadableStream, type sendUnaryData, status } from '@grpc/grpc-js';
import type { AppendFault, Faults } from './faults.ts';
import { notLeader, refusalOf } from './refusals.ts';
import type { Expected, NewRecord, Storage, Stored } from './storage.ts';

export interface AppendParts {
  readonly storage: Storage;
  readonly faults: Faults;
  /** Largest append, bytes. */
  readonly maxAppendBytes: number;
  /** Largest event of an append, bytes. */
  readonly maxEventBytes: number;
  /** Appends of a leader that no majority has stored. */
  readonly unreplicated: (() => void)[];
}

export type AppendCall = ServerReadableStream<streams.AppendReq, streams.AppendResp>;
export type AppendAnswer = sendUnaryData<streams.AppendResp>;
type Options = streams.AppendReq.Options;

/** Receives an append: its options first, then its events, then it is stored whole. */
export function handleAppend(parts: AppendParts, call: AppendCall, answer: AppendAnswer): void {
  let options: Options | undefined;
  const events: NewRecord[] = [];
  call.on('data', (request: streams.AppendReq) => {
    options ??= request.getOptions();
    const message = request.getProposedMessage();
    if (message !== undefined) events.push(recordOf(message));
  });
  call.on('error', () => undefined);
  const refusal = refusalOf(parts.faults, call.metadata);
  call.on('end', () => {
    if (refusal !== null) answer(refusal);
    else if (options !== undefined) void carryOut(parts, { options, events }, answer);
  });
}

async function carryOut(
  { storage, faults, maxAppendBytes, maxEventBytes, unreplicated }: AppendParts,
  { options, events }: { readonly options: Options; readonly events: readonly NewRecord[] },
  answer: AppendAnswer,
): Promise<void> {
  const fault = faults.silent ? 'never answer' : faults.appends.shift();
  if (faults.delay > 0) await wait(faults.delay);
  if (fault === 'never answer') return;
  if (fault === 'unavailable') return answer({ code: status.UNAVAILABLE, details: 'Connection dropped' });
  // Clients see these as unknown errors.
  if (fault === 'not ready') return answer({ code: status.UNKNOWN, details: 'Server Is Not Ready' });
  if (fault === 'busy') return answer({ code: status.UNKNOWN, details: 'Server Is Busy' });
  if (fault === 'not leader') return answer(notLeader(faults.leader));
  const sizes = events.map(({ data, metadata, type }) => data.length + metadata.length + type.length);
  const large = sizes.findIndex((size) => size > maxEventBytes);
  if (large >= 0) return answer(eventTooLarge(events[large]?.id, sizes[large], maxEventBytes));
  if (sizes.reduce((sum, size) => sum + size, 0) > maxAppendBytes) return answer(tooLarge(maxAppendBytes));
  const name = nameOf(options);
  const expected = expectedOf(options);
  if (faults.isolated) {
    unreplicated.push(() => void storage.append(name, expected, events));
    return;
  }
  const stored = storage.append(name, expected, events);
  if (fault !== undefined) return afterCommit(fault, answer);
  answer(null, stored.accepted ? success(stored) : wrongVersion(stored, expected));
}

function afterCommit(fault: AppendFault, answer: AppendAnswer): void {
  if (fault === 'drop after commit') answer({ code: status.UNAVAILABLE, details: 'Connection dropped' });
}

function recordOf(message: streams.AppendReq.ProposedMessage): NewRecord {
  const metadata = message.getMetadataMap();
  return {
    id: message.getId()?.getString() ?? '',
    type: metadata.get('type') ?? '',
    contentType: metadata.get('content-type') ?? '',
    metadata: message.getCustomMetadata_asU8(),
    data: message.getData_asU8(),
  };
}

function nameOf(options: Options): string {
  return Buffer.from(options.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');
}

function expectedOf(options: Options): Expected {
  if (options.hasNoStream()) return 'no stream';
  if (options.hasStreamExists()) return 'exists';
  return options.hasRevision() ? Number(options.getRevision()) : 'any';
}

function success({ last }: Stored): streams.AppendResp {
  const position = new streams.AppendResp.Position().setCommitPosition(String(last)).setPreparePosition(String(last));
  const done = new streams.AppendResp.Success().setCurrentRevision(String(last)).setPosition(position);
  return new streams.AppendResp().setSuccess(done);
}

function wrongVersion({ last }: Stored, expected: Expected): streams.AppendResp {
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (last < 0) wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(last));
  if (typeof expected === 'number') wrong.setExpectedRevision(String(expected));
  else wrong.setExpectedNoStream(new shared.Empty());
  return new streams.AppendResp().setWrongExpectedVersion(wrong);
}

function tooLarge(limit: number) {
  const metadata = new Metadata();
  metadata.set('exception', 'maximum-append-size-exceeded');
  metadata.set('maximum-append-size', String(limit));
  return { code: status.INVALID_ARGUMENT, details: `Maximum Append Size of ${limit} Exceeded.`, metadata };
}

/** As servers since 25.1 refuse it; the client does not know this exception. */
function eventTooLarge(id: string | undefined, size: number | undefined, limit: number) {
  const metadata = new Metadata();
  metadata.set('exception', 'maximum-append-event-size-exceeded');
  const details = `Event with Id: ${id}, Size: ${size}, exceeds Maximum Append Event Size of ${limit}.`;
  return { code: status.INVALID_ARGUMENT, details, metadata };
}
