import { isRefusal } from '#domain/kernel/refusal.ts';
import { anonymous, type Viewer } from '#domain/user/roles.ts';
import { GONE } from '../message/limits.ts';
import { isReading } from './bounds.ts';
import { checkedCall } from './call.ts';
import { heldIn } from './held-in.ts';
import type { HeldLook, Incoming, Preview, Runtime } from './host.ts';
import { innerEndpoint, innerInputOf } from './inner.ts';
import { hasGone } from './input.ts';
import { type RequestOutcome, refusedOutcome } from './outcome.ts';
import { isLong, isMovable, momentOfAll, poolRead, readyPool } from './pool.ts';
import { read } from './read.ts';
import { type AnsweredReply, madeAnswer, madeInPool, type Responded, type Responding, refused } from './respond.ts';
import type { FoundEndpoint } from './table.ts';
import { readInHeld } from './write.ts';

interface ReadParts<M, S extends M> extends Responding {
  readonly runtime: Runtime<M, S>;
}

export interface ReadAsked<M, S extends M> extends Responded<Incoming> {
  readonly found: FoundEndpoint<M, S>;
  readonly viewer: Viewer;
  readonly preview?: Preview | undefined;
}

/** A long read is answered by a reader thread, if one is ready; any other here and now. */
export function readWhereItBelongs<M, S extends M>(
  self: ReadParts<M, S>,
  asked: ReadAsked<M, S>,
): AnsweredReply | Promise<AnsweredReply> {
  const { host } = self.runtime;
  const { request, input, found } = asked;
  const into = heldIn(host, input, asked);
  const look = asked.preview?.look ?? (into === null ? undefined : { in: into, viewer: asked.viewer });
  if (look !== undefined) return readAsHeld(self, asked, look);
  const here = () => readHere(self, asked);
  if (asked.preview !== undefined) return here();
  if (host.pool === undefined || !isMovable(request, { input, names: self.names })) return here();
  const moment = momentOfAll(found, input);
  const isOfPast = moment !== null && host.isLongAgo?.(moment) === true;
  if (!isOfPast && !isLong(found, { input, model: host.model() })) return here();
  // What is far back may take some tenths of a second: it waits for a thread to start.
  const pool = isOfPast ? host.pool : readyPool(host.pool);
  if (pool === null) return here();
  const isGone = hasGone(input.sent);
  return pool.read(poolRead(request), isGone).then((answered) => {
    if (answered !== null) return madeInPool(self, request, answered);
    return isGone() ? refused(self, GONE, request) : here();
  });
}

/** A batch of reads alone is answered by a reader thread if one of them is long, anything else here. */
export function readsWhereTheyBelong<M, S extends M>(
  self: ReadParts<M, S>,
  { request, input, found, viewer }: Pick<ReadAsked<M, S>, 'request' | 'input' | 'found' | 'viewer'>,
  here: () => Promise<AnsweredReply>,
): Promise<AnsweredReply> {
  const { endpoint } = found.endpoint;
  const { runtime } = self;
  const { host } = runtime;
  if (host.pool === undefined || request.ahead === true || !('requests' in endpoint)) return here();
  const model = host.model();
  const { call, refusal } = checkedCall(found, input, { viewer, model });
  const inputs = refusal === null ? (endpoint.requests?.(call).map(innerInputOf) ?? []) : [];
  if (!inputs.every(({ method }) => isReading(method))) return here();
  const isLongRead = inputs.some((one) => {
    const inner = innerEndpoint(runtime, one, model);
    return inner !== null && (isLong(inner, { input: one, model }) || momentOfAll(inner, one) !== null);
  });
  const pool = isLongRead ? readyPool(host.pool) : null;
  if (pool === null) return here();
  const isGone = hasGone(input.sent);
  return pool.read(poolRead(request), isGone).then((answered) => {
    if (answered !== null) return madeInPool(self, request, answered);
    return isGone() ? refused(self, GONE, request) : here();
  });
}

function readAsHeld<M, S extends M>(
  self: ReadParts<M, S>,
  { found, viewer, preview, ...asking }: ReadAsked<M, S>,
  look: HeldLook,
): Promise<AnsweredReply> {
  const { input, watch, request } = asking;
  watch.add(null);
  const asker = { viewer, correlationId: request.correlationId };
  const reading = { found, input, viewer, watch, max: self.runtime.answerLimit, ...embeddedFor(preview) };
  const outcome = readInHeld(self.runtime, { input, asker, look }, (model) =>
    read(self.runtime, { ...reading, model }),
  );
  return outcome.then((value) =>
    madeAnswer(self, asking, { outcome: unkept(value), route: found.route.route.pattern, position: null }),
  );
}

function readHere<M, S extends M>(
  self: ReadParts<M, S>,
  { found, viewer, preview, ...asking }: ReadAsked<M, S>,
): AnsweredReply | Promise<AnsweredReply> {
  const { input, watch } = asking;
  const route = found.route.route.pattern;
  const then = preview?.asOf === undefined ? null : self.runtime.host.modelAt(preview.asOf);
  if (preview !== undefined) watch.add(null);
  if (isRefusal(then))
    return madeAnswer(self, asking, { outcome: refusedOutcome(then, viewer), route, position: null });
  const past = then === null ? {} : { past: then };
  const reading = { found, input, viewer, watch, max: self.runtime.answerLimit, ...past, ...embeddedFor(preview) };
  const outcome = read(self.runtime, reading);
  const made = (value: RequestOutcome) =>
    madeAnswer(self, asking, { outcome: preview === undefined ? value : unkept(value), route, position: null });
  return outcome instanceof Promise ? outcome.then(made) : made(outcome);
}

/** A preview shows what it is of; other records as everybody sees them. */
function embeddedFor(preview: Preview | undefined): { readonly embedAs?: Viewer } {
  return preview === undefined ? {} : { embedAs: anonymous };
}

/** Nobody keeps what is not yet so, and its version is none that a write could name. */
function unkept(outcome: RequestOutcome): RequestOutcome {
  return { ...outcome, version: '', headers: { ...outcome.headers, 'Cache-Control': 'private, no-store' } };
}
