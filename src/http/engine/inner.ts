import { refuse } from '#domain/kernel/refusal.ts';
import { NeedsTexts } from '#text/suspended.ts';
import { envelopeHeaders } from './envelope.ts';
import type { Inner, InnerAnswer, InnerCall, InnerRequest } from './inner-calls.ts';
import { type Input, innerInput } from './input.ts';
import type { LateTexts } from './late-texts.ts';
import { recordText } from './present.ts';
import { refusalFor } from './problem.ts';
import { checkedCall, type Prepared, type RunOutcome, refusedOutcome } from './run.ts';
import type { Asker, Runtime } from './runtime.ts';
import type { FoundEndpoint } from './table.ts';

export interface Workplace<M, S extends M> {
  readonly runtime: Runtime<M, S>;
  readonly asker: Asker;
  readonly session: S;
  readonly late: LateTexts;
}

export interface Carrier<M, S extends M> {
  /** True if the request was carried out before, so that its parameters no longer matter. */
  readonly isKnown: (input: Input) => boolean;
  readonly carryOut: (prepared: Prepared<M, S, S>, input: Input) => RunOutcome;
}

export const NO_ROUTE = refuse('rest_no_route', 'No route was found matching the URL and request method.');
export const NOT_ALLOWED = refuse('rest_batch_not_allowed', 'The requested route does not support batch requests.');

const inputs = new WeakMap<InnerRequest, Input>();

export function innerOf<M, S extends M>(place: Workplace<M, S>, carrier: Carrier<M, S>): Inner {
  const { runtime, asker, session } = place;
  return {
    attempt: (work) => runtime.host.attempt(session, work),
    prepare: (request) => {
      const input = innerInputOf(request);
      const prepared = find(place, input);
      if (prepared === null) return turnedDown(refusedOutcome(NO_ROUTE, asker.viewer));
      const fault = carrier.isKnown(input) ? null : prepared.refusal;
      return {
        fault: fault === null ? null : innerAnswer(refusedOutcome(fault, asker.viewer)),
        run: () =>
          innerAnswer(
            guarded(place, () => runtime.host.withImmediateReactions(session, () => carrier.carryOut(prepared, input))),
          ),
      };
    },
  };
}

function find<M, S extends M>(
  { runtime, asker, session, late }: Workplace<M, S>,
  input: Input,
): Prepared<M, S, S> | null {
  // A trailing slash is tolerated only in requests from outside.
  const found = input.path.endsWith('/') ? null : runtime.table.find(input.method, input.path, session);
  if (found === null) return null;
  const prepared = checkedCall(found, input, { viewer: asker.viewer, model: session, late });
  return isInnerCommand(found) ? prepared : { ...prepared, refusal: NOT_ALLOWED };
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

export function turnedDown(outcome: RunOutcome): InnerCall {
  const answer = innerAnswer(outcome);
  return { fault: answer, run: () => answer };
}

export function innerAnswer({ refused, idle, status, headers, allow, shown }: RunOutcome): InnerAnswer {
  return { refused, idle, status, headers: envelopeHeaders(headers, allow), body: recordText(shown) };
}

function guarded<M, S extends M>({ runtime, asker }: Workplace<M, S>, run: () => RunOutcome): RunOutcome {
  try {
    return run();
  } catch (error) {
    if (error instanceof NeedsTexts) throw error;
    const refusal = refusalFor(error);
    if (refusal.code !== 'internal_server_error') throw error;
    runtime.onFault(error, asker.correlationId);
    return refusedOutcome(refusal, asker.viewer);
  }
}
