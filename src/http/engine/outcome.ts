import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { isAuditor, type Viewer } from '#domain/user/roles.ts';
import { presentCost, type Standing } from '#text/cost.ts';
import { problemHeaders, problemText, statusOf } from '../message/problem.ts';
import { type OpenCall, settleArgs } from './args.ts';
import type { CheckedCall } from './call.ts';
import { JSON_TYPE, type ShownAnswer, show } from './present.ts';
import type { CompiledEndpoint, CompiledRoute } from './table.ts';
import type { Answer, Call, Method, MoreDependence } from './types.ts';

const ORDER: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
/** What auditors may send. */
const READS: readonly Method[] = ['GET'];

/**
 * The `Allow` header: the methods of a route whose permission passes for this viewer and these parameters; null
 * when none does. `passed` is an endpoint that is known to pass.
 */
export function allowHeader<M, S extends M>(
  route: CompiledRoute<M, S>,
  call: Call<M>,
  passed?: CompiledEndpoint<M, S>,
): string | null {
  return listed(route, call.viewer, (candidate) => candidate === passed || permits(candidate, call));
}

/** The same for parameters that have not been checked: each endpoint coerces its own first. */
export function allowUnasked<M, S extends M>(
  route: CompiledRoute<M, S>,
  viewer: Viewer,
  open: () => OpenCall<M>,
): string | null {
  return listed(route, viewer, (candidate) => {
    const call = open();
    settleArgs(candidate.args, call);
    return permits(candidate, call);
  });
}

function permits<M, S extends M>({ endpoint }: CompiledEndpoint<M, S>, call: Call<M>): boolean {
  return endpoint.permission(call) === null;
}

function listed<M, S extends M>(
  { endpoints, byMethod }: CompiledRoute<M, S>,
  viewer: Viewer,
  passes: (candidate: CompiledEndpoint<M, S>) => boolean,
): string | null {
  const passing = endpoints.filter(passes);
  const methods = isAuditor(viewer) ? READS : ORDER;
  const allowed = methods.filter((method) => {
    const endpoint = byMethod.get(method);
    return endpoint !== undefined && passing.includes(endpoint);
  });
  return allowed.length === 0 ? null : allowed.join(', ');
}

/** What came of a request, before it is made into bytes. */
export interface RequestOutcome {
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

export function refusedOutcome(refusal: Refusal, viewer: Viewer, allow: string | null = null): RequestOutcome {
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

/** `Allow` is computed last: after a write it reflects the new state. `max`: characters of a list. */
export function outcomeOf<M, S extends M, N extends M>(
  { found, call, wanted }: Omit<CheckedCall<M, S, N>, 'isProvisional' | 'refusal'>,
  answer: Answer | Refusal,
  max?: number,
): RequestOutcome {
  const { route, endpoint } = found;
  if (isRefusal(answer)) return refusedOutcome(answer, call.viewer, allowHeader<M, S>(route, call));
  const shown = show(answer.body, wanted, max);
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
