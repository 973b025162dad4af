import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { Standing } from '#text/cost.ts';
import { presentCost, resumed } from '#text/suspended.ts';
import { allowHeader } from './allow.ts';
import { checkArgs, type OpenCall, settleArgs } from './args.ts';
import { callOn, openCall, type Wanted, WatchedCall, wantedBy } from './call.ts';
import { versionIn } from './etag.ts';
import type { Inner } from './inner-calls.ts';
import type { Input } from './input.ts';
import type { LateTexts } from './late-texts.ts';
import { pastRefusal } from './past.ts';
import { JSON_TYPE, type ListBounds, type ShownAnswer, show } from './present.ts';
import { problemHeaders, problemText, statusOf } from './problem.ts';
import type { FoundEndpoint } from './table.ts';
import type { Answer, Call, MoreDependence, Route } from './types.ts';

export interface Prepared<M, S extends M, N extends M = M> {
  readonly found: FoundEndpoint<M, S>;
  readonly call: OpenCall<N>;
  readonly wanted: Wanted;
  /** Set if the checks failed. */
  readonly refusal: Refusal | null;
  /** Of a list. Default: none. */
  readonly bounds?: ListBounds;
}

export interface Ahead<M, S extends M> extends Prepared<M, S> {
  readonly call: WatchedCall<M>;
  /** The checks read the model, so they must be repeated in the session. */
  readonly isProvisional: boolean;
  readonly denied: Refusal | null;
}

export interface RunOutcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The `Allow` header, if there is one. */
  readonly allow: string | null;
  readonly shown: ShownAnswer;
  readonly version: string | undefined;
  readonly refused: boolean;
  /** Nothing changed: the request was refused, or there was nothing to do. */
  readonly idle: boolean;
  readonly dependsOnMore?: MoreDependence;
  readonly cost?: Standing;
  /** Log position of the original response, if this one repeats it. */
  readonly replayed?: number;
}

const NO_HEADERS: Readonly<Record<string, string>> = {};

/** Checks a request's parameters: malformed body, required ones, first round, second round (interface behaviour, section 3). */
export function checkedCall<M, S extends M, N extends M>(
  found: FoundEndpoint<M, S>,
  input: Input,
  by: { readonly viewer: Viewer; readonly model: N; readonly late?: LateTexts },
): Prepared<M, S, N> {
  const wanted = wantedBy(input);
  const call = openCall(input, found.path, { ...by, wanted });
  return { found, call, wanted, refusal: checked<M, S, N>(found, input, call) };
}

/** Checks the parameters and the permission of a write on the read model, ahead of its session. */
export function prepareAhead<M, S extends M>(
  found: FoundEndpoint<M, S>,
  input: Input,
  { viewer, model }: { readonly viewer: Viewer; readonly model: M },
): Ahead<M, S> {
  const wanted = wantedBy(input);
  const call = new WatchedCall(openCall(input, found.path, { viewer, model, wanted }));
  const refusal = checked<M, S, M>(found, input, call);
  const isProvisional = call.hasLooked;
  const denied = refusal === null ? found.endpoint.endpoint.permission(call) : null;
  return { found, call, wanted, isProvisional, refusal, denied };
}

export function inSession<M, S extends M>(
  ahead: Ahead<M, S>,
  input: Input,
  { session, late }: { readonly session: S; readonly late: LateTexts },
): Prepared<M, S, S> {
  const { found, call, wanted, isProvisional, refusal } = ahead;
  if (isProvisional) return checkedCall(found, input, { viewer: call.viewer, model: session, late });
  return { found, call: callOn(call, { model: session, late }), wanted, refusal };
}

function checked<M, S extends M, N extends M>(
  { endpoint: { args } }: FoundEndpoint<M, S>,
  input: Input,
  call: OpenCall<N>,
): Refusal | null {
  if (input.broken === null) return checkArgs<M>(args, call);
  settleArgs<M>(args, call);
  return input.broken;
}

/** Carries out a read: permission, handler. */
export function runQuery<M, S extends M>(prepared: Prepared<M, S>): RunOutcome | Promise<RunOutcome> {
  const { call, found } = prepared;
  const { endpoint } = found.endpoint;
  if (!('query' in endpoint)) throw new TypeError(`${found.route.route.pattern} has no query`);
  const refusal = prepared.refusal ?? endpoint.permission(call) ?? pastRefusal(endpoint, call);
  const answer = refusal ?? endpoint.query(call);
  if (!(answer instanceof Promise)) return outcomeOf(prepared, answer);
  return answer.then(resumed((value) => outcomeOf(prepared, value)));
}

/** Carries out a write within the session of its call: permission, precondition, handler. */
export function runCommand<M, S extends M>(prepared: Prepared<M, S, S>, inner: Inner): RunOutcome {
  const { call, found } = prepared;
  const { endpoint } = found.endpoint;
  if (prepared.refusal !== null) return outcomeOf(prepared, prepared.refusal);
  if (!('command' in endpoint)) throw new TypeError(`${found.route.route.pattern} has no command`);
  const refusal = endpoint.permission(call) ?? precondition(found.route.route, call);
  return outcomeOf(prepared, refusal ?? inner.attempt(() => endpoint.command(call, inner)));
}

export function refusedOutcome(refusal: Refusal, viewer: Viewer, allow: string | null = null): RunOutcome {
  const status = statusOf(refusal, viewer);
  return {
    status,
    headers: problemHeaders(refusal),
    allow,
    shown: { kind: 'text', type: JSON_TYPE, text: problemText(refusal, status) },
    version: undefined,
    refused: true,
    idle: true,
  };
}

/** `Allow` is computed last: after a write it reflects the new state. */
export function outcomeOf<M, S extends M, N extends M>(
  prepared: Prepared<M, S, N>,
  answer: Answer | Refusal,
): RunOutcome {
  const { found, call, wanted } = prepared;
  const { route, endpoint } = found;
  if (isRefusal(answer)) return refusedOutcome(answer, call.viewer, allowHeader<M, S>(route, call));
  const shown = show(answer.body, wanted, prepared.bounds);
  if (isRefusal(shown)) return refusedOutcome(shown, call.viewer, allowHeader<M, S>(route, call));
  const passed = 'query' in endpoint.endpoint ? endpoint : undefined;
  return {
    status: answer.status ?? 200,
    headers: answer.headers ?? NO_HEADERS,
    allow: answer.noAllow === true ? null : allowHeader<M, S>(route, call, passed),
    shown,
    version: answer.version,
    refused: false,
    idle: answer.idle === true,
    dependsOnMore: answer.dependsOnMore?.() ?? null,
    cost: presentCost().standing,
  };
}

/**
 * Checks `If-Match` on a write: the item must still have one of the named versions; for `*` it need only exist. Routes without
 * `version` ignore the header.
 */
function precondition<M, S extends M>({ version }: Route<M, S>, call: Call<S>): Refusal | null {
  const header = call.request.header('if-match');
  if (header === undefined || version === undefined) return null;
  const current = version(call);
  const met = header.trim() === '*' ? current !== null : header.split(',').some((tag) => versionIn(tag) === current);
  return met && current !== null ? null : refuse('rest_precondition_failed', 'The item has been changed meanwhile.');
}
