import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { presentCost } from '#text/cost.ts';
import { envelopeHeaders } from '../message/envelope.ts';
import { ANSWER_TOO_LARGE } from '../message/limits.ts';
import { refusalFor } from '../message/problem.ts';
import { boundedAt, isReading, NO_ROUTE } from './bounds.ts';
import { createWatch } from './cache.ts';
import { type CheckedCall, checkedCall, sentIn } from './call.ts';
import { previewFor, refusedHeld } from './held-in.ts';
import type { Asker, Runtime } from './host.ts';
import { type Input, innerInput } from './input.ts';
import type { LateTexts } from './late-texts.ts';
import { type RequestOutcome, refusedOutcome } from './outcome.ts';
import { parameterOf, pastOf } from './past.ts';
import { recordText } from './present.ts';
import { read } from './read.ts';
import type { FoundEndpoint } from './table.ts';
import type { Inner, InnerAnswer, InnerCall, InnerRequest } from './types.ts';

/** Where a write is decided. */
export interface Deciding<M, S extends M> {
  readonly runtime: Runtime<M, S>;
  readonly asker: Asker;
  readonly session: S;
  readonly late: LateTexts;
  /** The requests were held back. */
  readonly isHeld?: boolean;
}

interface Carrier<M, S extends M> {
  /** True if the request was carried out before, so that its parameters no longer matter. */
  readonly isKnown: (input: Input) => boolean;
  readonly carryOut: (checked: CheckedCall<M, S, S>, input: Input) => RequestOutcome;
}

const NOT_ALLOWED = refuse('rest_batch_not_allowed', 'The requested route does not support batch requests.');

const inputs = new WeakMap<InnerRequest, Input>();

/** Carries out the requests of a batch, within the session of the batch. */
export function innerOf<M, S extends M>(deciding: Deciding<M, S>, carrier: Carrier<M, S>): Inner {
  const { runtime, asker, session } = deciding;
  const { host } = runtime;
  const room = { left: runtime.answerLimit };
  return {
    attempt: (work) => host.attempt(session, work),
    as: (viewer) => innerOf({ ...deciding, asker: { ...asker, viewer }, isHeld: true }, carrier),
    prepare: (request) => {
      const input = innerInputOf(request);
      if (isReading(input.method))
        return innerRead(runtime, input, { asker, model: session, room, isAmongWrites: true });
      const checked = check(deciding, input);
      if (checked === null) return turnedDown(refusedOutcome(NO_ROUTE, asker.viewer));
      const fault = carrier.isKnown(input) ? null : checked.refusal;
      const run = () => host.withImmediateReactions(session, () => carrier.carryOut(checked, input));
      return {
        fault: fault === null ? null : innerAnswer(refusedOutcome(fault, asker.viewer)),
        run: () => innerAnswer(guarded(deciding, run)),
      };
    },
  };
}

/** Carries out reads alone, all on one state. */
export function innerReads<M, S extends M>(runtime: Runtime<M, S>, asker: Asker, model: M): Pick<Inner, 'prepare'> {
  const room = { left: runtime.answerLimit };
  return { prepare: (request) => innerRead(runtime, innerInputOf(request), { asker, model, room }) };
}

interface InnerReading<M> {
  readonly asker: Asker;
  readonly model: M;
  /** Characters that the answers of the batch may still have. */
  readonly room: { left: number };
  /** The state has no position yet. */
  readonly isAmongWrites?: true;
}

/** A read in a batch: of an endpoint that answers from what is stored, and that others may keep. */
function innerRead<M, S extends M>(
  runtime: Runtime<M, S>,
  input: Input,
  { asker, model, room, isAmongWrites }: InnerReading<M>,
): InnerCall {
  const { host } = runtime;
  const refuseAs = (refusal: Refusal) => turnedDown(refusedOutcome(refusal, asker.viewer));
  const found = innerEndpoint(runtime, input, model);
  if (found === null || !('query' in found.endpoint.endpoint)) return refuseAs(NO_ROUTE);
  const viewer = boundedAt(asker.viewer, found, input.method);
  if (isRefusal(viewer)) return refuseAs(viewer);
  const isUnplaced = isAmongWrites === true && sentIn(input, 'cursor') !== undefined;
  const isOther = isUnplaced || found.endpoint.endpoint.depends === null || previewFor(runtime, input, found) !== null;
  const refusal = refusedHeld(host, input, found) ?? (isOther ? NOT_ALLOWED : null);
  if (refusal !== null) return refuseAs(refusal);
  const watch = createWatch(host.cacheVersion);
  const { endpoint } = found.endpoint;
  const fault = checkedCall(found, input, { viewer, model }).refusal;
  return {
    fault: fault === null ? null : innerAnswer(refusedOutcome(fault, viewer)),
    run: () => {
      const past = pastOf(endpoint);
      const isPast = past !== undefined && (sentIn(input, parameterOf(past)) ?? null) !== null;
      const state = isPast ? {} : { model };
      const cost = presentCost();
      const outcome = read(runtime, { found, input, viewer, watch, max: room.left, cost, ...state });
      if (outcome instanceof Promise) return innerAnswer(refusedOutcome(NOT_ALLOWED, viewer));
      cost.standing = outcome.cost ?? cost.standing;
      const answer = innerAnswer(outcome);
      if (answer.body.length > room.left) return innerAnswer(refusedOutcome(ANSWER_TOO_LARGE, viewer));
      room.left -= answer.body.length;
      return answer;
    },
  };
}

/** The endpoint of a request in a batch. A trailing slash is tolerated only in requests from outside. */
export function innerEndpoint<M, S extends M>(
  { table }: Runtime<M, S>,
  { method, path }: Input,
  model: M,
): FoundEndpoint<M, S> | null {
  return path.length > 1 && path.endsWith('/') ? null : table.find(method, path, model);
}

function check<M, S extends M>(
  { runtime, asker, session, late, isHeld = false }: Deciding<M, S>,
  input: Input,
): CheckedCall<M, S, S> | null {
  const found = innerEndpoint(runtime, input, session);
  if (found === null) return null;
  const { textLimit } = runtime.host;
  const checked = checkedCall(found, input, { viewer: asker.viewer, model: session, late, textLimit });
  const held = refusedHeld(runtime.host, input, found);
  if (held !== null) return { ...checked, refusal: held };
  return (isHeld ? mayWait(found) : isInnerCommand(found)) ? checked : { ...checked, refusal: NOT_ALLOWED };
}

/** Returns the same input for the same request each time. */
export function innerInputOf(request: InnerRequest): Input {
  const known = inputs.get(request);
  if (known !== undefined) return known;
  const { method, path, query, headers, body } = request;
  const input = innerInput({ method, path, query, json: body, header: (name) => headers.get(name) });
  inputs.set(request, input);
  return input;
}

export function isInnerCommand<M, S extends M>({ endpoint: { endpoint } }: FoundEndpoint<M, S>): boolean {
  return endpoint.allowBatch === true && 'command' in endpoint;
}

export function mayWait<M, S extends M>(found: FoundEndpoint<M, S>): boolean {
  const { endpoint } = found.endpoint;
  return endpoint.mayWait === true && 'command' in endpoint;
}

function turnedDown(outcome: RequestOutcome): InnerCall {
  const answer = innerAnswer(outcome);
  return { fault: answer, run: () => answer };
}

function innerAnswer({ refused, idle, status, headers, allow, shown }: RequestOutcome): InnerAnswer {
  return { refused, idle, status, headers: envelopeHeaders(headers, allow), body: recordText(shown) };
}

function guarded<M, S extends M>({ runtime, asker }: Deciding<M, S>, run: () => RequestOutcome): RequestOutcome {
  try {
    return run();
  } catch (error) {
    const refusal = refusalFor(error);
    if (refusal.code !== 'internal_server_error') throw error;
    runtime.onFault(error, asker.correlationId);
    return refusedOutcome(refusal, asker.viewer);
  }
}
