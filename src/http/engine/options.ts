import type { Viewer } from '#domain/user/roles.ts';
import type { JsonText } from '#text/json.ts';
import { openCall, wantedBy } from './call.ts';
import { argDescriptor, type Descriptor, withoutAdditions } from './descriptors.ts';
import type { Runtime } from './host.ts';
import type { Input } from './input.ts';
import type { RequestOutcome } from './outcome.ts';
import { allowUnasked } from './outcome.ts';
import { show } from './present.ts';
import type { Endpoint, Route } from './types.ts';

export interface RouteDescription {
  readonly namespace: string;
  readonly methods: readonly string[];
  readonly endpoints: readonly unknown[];
  readonly _links?: unknown;
}

/** The response to OPTIONS: the index's description of the route, and its schema; an empty list if no route matches. */
export function describeAt<M, S extends M>(
  { table, base }: Pick<Runtime<M, S>, 'table' | 'base'>,
  input: Input,
  { viewer, model }: { readonly viewer: Viewer; readonly model: M },
): { readonly outcome: RequestOutcome; readonly route: string | null } {
  const wanted = wantedBy(input);
  const place = table.at(input.path, model);
  if (place === null) return { outcome: plain(show({ kind: 'json', value: [] }, wanted), null), route: null };
  const { route } = place.route;
  const { _links, ...description } = describeRoute(route, base());
  const schema = route.schema === undefined ? {} : { schema: withoutAdditions(route.schema(model) as Descriptor) };
  const value = { ...description, ...schema, ...(_links === undefined ? {} : { _links }) };
  const allow = allowUnasked(place.route, viewer, () => openCall(input, place.path, { viewer, model }));
  return { outcome: plain(show({ kind: 'json', value }, wanted), allow), route: route.pattern };
}

function plain(shown: RequestOutcome['shown'], allow: JsonText | null): RequestOutcome {
  return { status: 200, headers: {}, allow, shown, version: undefined, refused: false, idle: true };
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
