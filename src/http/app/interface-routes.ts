import type { FastifyInstance, HTTPMethods } from 'fastify';
import { parsePattern } from '../engine/pattern.ts';
import type { Route } from '../engine/types.ts';
import { methodsOf, type RouteAnswer, route } from '../server/exchange.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route of the interface as its index names it. */
    readonly pattern?: string;
  }
}

/**
 * Registers each route of the interface with the framework, so that its hooks and plugins see them. The engine decides what a request
 * addresses: an id of letters, another case and other spellings arrive by the last route, and are answered alike.
 */
export function addInterface<M, S extends M>(
  app: FastifyInstance,
  routes: readonly Route<M, S>[],
  { root, answer }: { readonly root: string; readonly answer: RouteAnswer },
): void {
  const byUrl = Map.groupBy(routes, ({ pattern }) => urlOf(pattern));
  byUrl.delete('/');
  for (const [url, same] of byUrl) {
    const [first] = same;
    if (first === undefined) continue;
    const methods = same.flatMap(({ endpoints }) => endpoints.flatMap((endpoint) => endpoint.methods));
    const all = new Set<HTTPMethods>([...methods, ...(methods.includes('GET') ? (['HEAD'] as const) : []), 'OPTIONS']);
    app.route({ ...route([...all], root + url, answer), config: { pattern: first.pattern } });
  }
  for (const url of [root, `${root}/*`]) app.route(route(methodsOf(app), url, answer));
}

/** The pattern as the framework's router writes it: `/cms/v2/posts/:id`. */
function urlOf(pattern: string): string {
  const { prefix, segments } = parsePattern(pattern);
  if (segments === null) return `/${[...prefix, '*'].join('/')}`;
  return `/${segments.map((segment) => ('digits' in segment ? `:${segment.digits}` : segment.literal)).join('/')}`;
}
