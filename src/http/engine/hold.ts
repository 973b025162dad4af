import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { Cost, withCost } from '#text/cost.ts';
import { isRecord } from '#text/shapes.ts';
import { versionIn } from '../message/etag.ts';
import { checkedCall } from './call.ts';
import { NOT_HELD } from './held-in.ts';
import type { HeldLook } from './host.ts';
import { type Deciding, innerInputOf, innerOf, mayWait } from './inner.ts';
import type { Input } from './input.ts';
import { type RequestOutcome, refusedOutcome } from './outcome.ts';
import type { FoundEndpoint } from './table.ts';
import type { InnerRequest, Method } from './types.ts';

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
  if (holding === undefined || !mayWait(found)) return refusedOutcome(NOT_HELD, viewer);
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

function requestIn({ method, path, query, sources, sent }: Input, parameter: string): InnerRequest {
  const { [parameter]: _, ...own } = query;
  const { [parameter]: __, ...body } = sources.length > 1 && isRecord(sources[0]) ? sources[0] : {};
  const match = sent.header('if-match');
  // A tag of what was seen in the release has no version: there the conflicts are told by the fields.
  const isOfSite = match?.split(',').some((tag) => tag.trim() === '*' || versionIn(tag)) === true;
  const headers = new Map(isOfSite ? [['if-match', match]] : []);
  return { method: method as Method, path, query: own, headers, body };
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
