import { type OpenCall, settleArgs } from './args.ts';
import type { CompiledEndpoint, CompiledRoute } from './table.ts';
import type { Call, Method } from './types.ts';

const ORDER: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * The `Allow` header: the methods of a route whose permission passes for this viewer and these parameters; null
 * when none does. `passed` is an endpoint that is known to pass.
 */
export function allowHeader<M, S extends M>(
  route: CompiledRoute<M, S>,
  call: Call<M>,
  passed?: CompiledEndpoint<M, S>,
): string | null {
  return listed(route, (candidate) => candidate === passed || permits(candidate, call));
}

/** The same for parameters that have not been checked: each endpoint coerces its own first. */
export function allowUnasked<M, S extends M>(route: CompiledRoute<M, S>, open: () => OpenCall<M>): string | null {
  return listed(route, (candidate) => {
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
  passes: (candidate: CompiledEndpoint<M, S>) => boolean,
): string | null {
  const passing = endpoints.filter(passes);
  if (passing.length === 0) return null;
  return ORDER.filter((method) => {
    const endpoint = byMethod.get(method);
    return endpoint !== undefined && passing.includes(endpoint);
  }).join(', ');
}
