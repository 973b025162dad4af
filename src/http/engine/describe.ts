import { argDescriptor } from './descriptors.ts';
import type { Endpoint, Route } from './types.ts';

export interface RouteDescription {
  readonly namespace: string;
  readonly methods: readonly string[];
  readonly endpoints: readonly unknown[];
  readonly _links?: unknown;
}

/** Describes a route; `base` is the address of the route root without trailing slash. */
export function describeRoute<M, S extends M>(
  { namespace, pattern, endpoints }: Route<M, S>,
  base: string,
): RouteDescription {
  const description = {
    namespace,
    methods: endpoints.flatMap(({ methods }) => methods),
    endpoints: endpoints.map(describeEndpoint),
  };
  // A pattern with parameters is not an address to link to.
  return pattern.includes('(?P<') ? description : { ...description, _links: { self: [{ href: base + pattern }] } };
}

function describeEndpoint<M, S extends M>({ methods, args, allowBatch }: Endpoint<M, S>): unknown {
  const names = Object.entries(args).filter(([, arg]) => arg.hidden !== true);
  return {
    methods,
    ...(allowBatch === true ? { allow_batch: { v1: true } } : {}),
    // Clients of this interface expect an empty map as an empty list.
    args: names.length === 0 ? [] : Object.fromEntries(names.map(([name, arg]) => [name, argDescriptor(arg)])),
  };
}
