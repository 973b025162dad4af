import { z } from 'zod';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Args, Call, Endpoint, QueryEndpoint, RoutePast } from './types.ts';

/** Parameter that selects the state at an earlier position or time; an addition to the reference system. */
const AS_OF = 'as_of';

const NO_PAST = refuse('rest_no_past', 'This route does not show the past.');

/** The arguments of an endpoint, with `as_of` if it shows the past. */
export function argsOf<M, S extends M>(endpoint: Endpoint<M, S>): Args<M> {
  const past = pastOf(endpoint);
  return past === undefined ? endpoint.args : { ...endpoint.args, [parameterOf(past)]: asOfArg(past.what) };
}

/** Refuses a request for the past to viewers without the right, and on routes that do not show it. */
export function pastRefusal<M>(endpoint: QueryEndpoint<M>, call: Call<M>): Refusal | null {
  const { past, args } = endpoint;
  // A package may use the name for a parameter of its own.
  const isSent = (name: string) => call.sent(name) !== undefined && !(name in args);
  if (past !== undefined && isSent(parameterOf(past))) return past.permission(call);
  return isSent(AS_OF) ? NO_PAST : null;
}

/** Refuses a request for the past to viewers without the right to it. `call` is on the present model. */
export function strangerRefusal<M>(endpoint: QueryEndpoint<M>, call: Call<M>): Refusal | null {
  const { past } = endpoint;
  const refused = past?.permission(call) ?? null;
  return refused === null ? null : (past?.hidden?.(call) ?? refused);
}

/** Name of the parameter that selects the state. */
export function parameterOf<M>({ parameter = AS_OF }: RoutePast<M>): string {
  return parameter;
}

export function pastOf<M, S extends M>(endpoint: Endpoint<M, S>): RoutePast<M> | undefined {
  return 'query' in endpoint ? endpoint.past : undefined;
}

function asOfArg(what: string) {
  const schema = z.string().describe(`Position or date-time: shows ${what} as it was then.`);
  return { schema, unchecked: true, hidden: true } as const;
}
