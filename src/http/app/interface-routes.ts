import type { FastifyInstance, HTTPMethods } from 'fastify';
import type { Descriptor } from '../engine/descriptors.ts';
import type { Endpoint, Method, Route } from '../engine/types.ts';
import { type RoutePlace, routePlaces } from '../openapi/place.ts';
import { routeSchema } from '../openapi/route-schema.ts';
import { methodsOf, type RouteAnswer, readable, route } from '../server/exchange.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route of the interface as its index names it. */
    readonly pattern?: string;
  }
}

interface Interface<M> {
  /** Path of the route root without trailing slash. */
  readonly root: string;
  readonly answer: RouteAnswer;
  readonly model: () => M;
}

/** Paths that the framework's router can express: each segment is a word or a parameter. */
const ROUTABLE = /^(?:\/(?:\{\w+\}|[\w.~-]+))+$/;

/** The engine validates, with messages of its own, and makes bytes: the framework does neither by these schemas. */
const unused = { validatorCompiler: () => () => true, serializerCompiler: () => () => '' };

/**
 * Registers each route of the interface with the framework, so that its hooks and plugins see them with their schemas. The engine decides
 * what a request addresses: an id of letters, another case and other spellings arrive by the last route, and are answered alike.
 */
export function addInterface<M, S extends M>(
  app: FastifyInstance,
  routes: readonly Route<M, S>[],
  { root, answer, model }: Interface<M>,
): void {
  const recordOf = recordsOf<M, S>(model);
  const taken = new Set<string>();
  for (const place of routePlaces(routes, (one) => recordOf(one)?.title ?? null)) {
    const { path } = place.template;
    if (!ROUTABLE.test(path)) continue;
    const url = root + path.replaceAll(/\{(\w+)\}/g, ':$1');
    const config = { pattern: place.route.pattern };
    for (const { endpoint, methods } of operationsOf(place, taken)) {
      const [method] = methods;
      const schema = routeSchema({ place, endpoint, method }, () => recordOf(place.route));
      const all: HTTPMethods[] = method === 'GET' ? ['GET', 'HEAD'] : [...methods];
      app.route({ ...readable(route(all, url, answer), config), ...unused, schema });
    }
  }
  for (const url of [root, `${root}/*`]) app.route(readable(route(methodsOf(app), url, answer)));
}

interface Described<M, S extends M> {
  readonly endpoint: Endpoint<M, S>;
  /** Methods with the same schema. */
  readonly methods: readonly [Method, ...Method[]];
}

/** The operations of a route that no earlier one answers. GET alone has no body, so its schema is another. */
function operationsOf<M, S extends M>(
  { route: { endpoints }, template }: RoutePlace<M, S>,
  taken: Set<string>,
): readonly Described<M, S>[] {
  const keyOf = (method: Method) => `${method} ${template.path.replaceAll(/\{\w+\}/g, '{}')}`;
  return endpoints.flatMap((endpoint) => {
    const own = endpoint.methods.filter((method) => !taken.has(keyOf(method)));
    for (const method of own) taken.add(keyOf(method));
    const [first, ...others] = own.filter((method) => method !== 'GET');
    return [
      ...(own.includes('GET') ? [{ endpoint, methods: ['GET'] as const }] : []),
      ...(first === undefined ? [] : [{ endpoint, methods: [first, ...others] as const }]),
    ];
  });
}

function recordsOf<M, S extends M>(model: () => M): (route: Route<M, S>) => Descriptor | null {
  const known = new Map<Route<M, S>, Descriptor | null>();
  return (one) => {
    const record = known.get(one) ?? ((one.schema?.(model()) ?? null) as Descriptor | null);
    known.set(one, record);
    return record;
  };
}
