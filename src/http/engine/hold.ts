import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import { Cost, withCost } from '#text/cost.ts';
import { isRecord } from '#text/shapes.ts';
import { checkedCall } from './call.ts';
import type { EngineHost, HeldLook } from './host.ts';
import { type Deciding, innerInputOf, innerOf, isInnerCommand } from './inner.ts';
import type { Input } from './input.ts';
import { type RequestOutcome, refusedOutcome } from './outcome.ts';
import type { FoundEndpoint } from './table.ts';
import type { InnerRequest, Method } from './types.ts';

const NOT_HELD = refuse('rest_release_not_supported', 'This write cannot wait: send it without the parameter release.');

/** What a request is held in; null: it is carried out now. */
export function heldIn<M, S extends M>(
  { holding }: EngineHost<M, S>,
  { query, method }: Input,
  { token }: Viewer,
): string | null {
  if (holding === undefined || method === 'OPTIONS') return null;
  // A token that writes into a release writes nowhere else.
  if (token?.release !== undefined) return String(token.release);
  const named = query[holding.parameter];
  return typeof named === 'string' && named !== '' ? named : null;
}

interface Held<M, S extends M> {
  readonly input: Input;
  readonly found: FoundEndpoint<M, S>;
  readonly into: string;
  readonly carry: Parameters<typeof innerOf<M, S>>[1];
}

/** Decides a write as it will be, and holds it back. The outcome is what it would be. */
export function holdBack<M, S extends M>(
  deciding: Deciding<M, S>,
  { input, found, into, carry }: Held<M, S>,
): RequestOutcome {
  const { session, runtime, asker, late } = deciding;
  const { holding, textLimit } = runtime.host;
  const { viewer } = asker;
  if (holding === undefined || !isInnerCommand(found)) return refusedOutcome(NOT_HELD, viewer);
  if (input.broken !== null) return refusedOutcome(input.broken, viewer);
  const request = requestIn(input, holding.parameter);
  const own = innerInputOf(request);
  let outcome = refusedOutcome(NOT_HELD, viewer);
  const refusal = holding.hold(session, { in: into, request, viewer }, innerOf(deciding, carry), () => {
    const checked = checkedCall(found, own, { viewer, model: session, late, textLimit });
    outcome = runtime.host.withImmediateReactions(session, () => carry.carryOut(checked, own));
    return !outcome.refused && !outcome.idle;
  });
  return refusal === null ? outcome : refusedOutcome(refusal, viewer);
}

function requestIn({ method, path, query, sources }: Input, parameter: string): InnerRequest {
  const { [parameter]: _, ...own } = query;
  const body = sources.length > 1 && isRecord(sources[0]) ? sources[0] : {};
  return { method: method as Method, path, query: own, headers: new Map(), body };
}

interface Viewing<M, S extends M> {
  readonly look: HeldLook;
  readonly read: (model: S) => RequestOutcome | Promise<RequestOutcome>;
  readonly carry: Parameters<typeof innerOf<M, S>>[1];
  readonly deciding: Deciding<M, S>;
}

/** Reads the site as it will be. */
export function readHeld<M, S extends M>({ deciding, look, read, carry }: Viewing<M, S>): RequestOutcome {
  const { session, runtime, asker } = deciding;
  const { holding } = runtime.host;
  if (holding === undefined) return refusedOutcome(NOT_HELD, asker.viewer);
  const outcome = holding.view(session, look, innerOf(deciding, carry), (model) =>
    withCost(new Cost(), () => read(model)),
  );
  if (isRefusal(outcome)) return refusedOutcome(outcome, asker.viewer);
  // What waits for something else would be made after the session has forgotten it.
  return outcome instanceof Promise ? refusedOutcome(NOT_SHOWN, asker.viewer) : outcome;
}

const NOT_SHOWN: Refusal = refuse('rest_release_not_supported', 'This cannot be shown as it will be.');
