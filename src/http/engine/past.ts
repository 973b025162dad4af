import { z } from 'zod';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Args, Call, Endpoint, QueryEndpoint, RoutePast } from './types.ts';

/** Parameter that selects the state at an earlier position or time; an addition to the reference system. */
export const AS_OF = 'as_of';

const NO_PAST = refuse('rest_no_past', 'This route does not show the past.');

/** The arguments of an endpoint, with `as_of` if it shows the past. */
export function argsOf<M, S extends M>(endpoint: Endpoint<M, S>): Args<M> {
  const past = pastOf(endpoint);
  return past === undefined ? endpoint.args : { ...endpoint.args, [AS_OF]: asOfArg(past.what) };
}

/** Refuses a request for the past to viewers without the right, and on routes that do not show it. */
export function pastRefusal<M>(endpoint: QueryEndpoint<M>, call: Call<M>): Refusal | null {
  // A package may use the name for a parameter of its own.
  if (call.sent(AS_OF) === undefined || AS_OF in endpoint.args) return null;
  return endpoint.past === undefined ? NO_PAST : endpoint.past.permission(call);
}

export function pastOf<M, S extends M>(endpoint: Endpoint<M, S>): RoutePast<M> | undefined {
  return 'query' in endpoint ? endpoint.past : undefined;
}

function asOfArg(what: string) {
  const schema = z.string().describe(`Position or date-time: shows ${what} as it was then.`);
  return { schema, unchecked: true, hidden: true } as const;
}
