import { randomUUID } from 'node:crypto';
import { type FastifyInstance, fastify, type HTTPMethods } from 'fastify';
import { anonymous } from '#domain/user/roles.ts';
import { detach, listen } from '#process/guard.ts';
import { parsePattern } from '../engine/table.ts';
import type { Route } from '../engine/types.ts';
import { asOfHeader } from '../pages/as-of.ts';
import { closeOnClientError } from '../server/connections.ts';
import { leave, methodsOf, type RouteAnswer, readable, route, takeOver } from '../server/exchange.ts';
import { addHealth } from '../server/health.ts';
import { addJournal, CORRELATION, correlationOf } from '../server/journal.ts';
import { createFolderReader, withoutOrigin } from '../server/target.ts';
import { addTracing } from '../server/tracing.ts';
import { type AppOptions, type AppParts, createParts } from './parts.ts';
import { addSite } from './site-routes.ts';

export type { AppOptions } from './parts.ts';

export type App = ReturnType<typeof buildApp>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route of the interface as its index names it. */
    readonly pattern?: string;
  }
}

/** Builds the HTTP server of a site: the table of routes serves everything below the route root. */
export function buildApp<M, S extends M>(options: AppOptions<M, S>): FastifyInstance {
  const parts = createParts(options, { clock: options.clock ?? Date.now, newId: randomUUID });
  const { root, server, targetOf } = parts;
  let page = parts.notFound;
  const otherwise: RouteAnswer = (request, reply) => {
    const target = targetOf(request.raw.url ?? '');
    if (target === null) return page(request, reply);
    server.serve(takeOver(request, reply), target);
    return reply;
  };
  const app = createFramework(options, parts, otherwise);
  limitConnections(app, options);
  addObservers(app, options);
  addHeaders(app, options, parts);
  app.register(async (own) => addInterface(own, options.routes, { root, answer: otherwise }));
  app.register(async (site) => {
    const pages = addSite(site, options, parts);
    if (pages !== null) {
      page = pages.answer;
      if (options.crawler !== undefined) options.crawler.makers = { pages: pages.ahead, answers: answersAhead(parts) };
    }
    // `/?rest_route=` addresses the interface, too.
    for (const url of ['/', '/index.php']) site.route(readable(route(methodsOf(app), url, otherwise)));
  });
  if (options.health !== undefined) addHealth(app, options.health);
  app.addHook('preClose', (done) => {
    server.close();
    done();
  });
  return app;
}

function createFramework<M, S extends M>(
  { host }: AppOptions<M, S>,
  { server }: AppParts,
  otherwise: RouteAnswer,
): FastifyInstance {
  const belowFolder = createFolderReader(() => host.siteUrl());
  return fastify({
    rewriteUrl: ({ url = '/' }) => belowFolder(withoutOrigin(url)),
    // The framework's own logging makes a child logger per request, which costs as much as the response.
    logger: false,
    genReqId: ({ headers }) => correlationOf(headers, randomUUID),
    return503OnClosing: false,
    clientErrorHandler: closeOnClientError,
    exposeHeadRoutes: false,
    // URLs that the framework cannot decode.
    frameworkErrors: (_, request, reply) =>
      detach(
        async () => otherwise(request, reply),
        (error) => server.fail(takeOver(request, reply), error),
      ),
  });
}

function limitConnections<M, S extends M>(app: FastifyInstance, options: AppOptions<M, S>): void {
  if (options.connectionLimit !== undefined) app.server.maxConnections = options.connectionLimit;
  listen(app.server, 'drop', () => options.onDropped?.(), options.onFault ?? (() => undefined));
}

/** Adds what records requests. */
function addObservers<M, S extends M>(app: FastifyInstance, options: AppOptions<M, S>): void {
  const { logger, meter, logRequests = 'all', slowRequest = 1000, tracing } = options;
  addJournal(app, { logger, meter, logged: logRequests, slow: slowRequest });
  if (tracing !== undefined) addTracing(app, tracing);
}

/** Adds the headers that all responses have, and what notes requests before they are answered. */
function addHeaders<M, S extends M>(
  app: FastifyInstance,
  { connections, crawler, asOf, handOver }: AppOptions<M, S>,
  { names, notFound }: AppParts,
): void {
  // Responses that bypass the framework write this header themselves.
  app.addHook('onSend', async (request, reply) => {
    reply.header(CORRELATION, request.id);
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (handOver !== undefined && request.routeOptions.config.isReadable !== true)
      return void leave(request, reply, handOver);
    connections?.note(request.raw, reply.raw);
    crawler?.note();
    if (asOf !== undefined) reply.raw.setHeader(`${names.headers}-As-Of`, asOfHeader(asOf));
    // Methods unknown to the framework.
    if (request.is404) notFound(request, reply);
    else done();
  });
}

/** Returns a function that makes an answer ahead of requests; false if there is nothing to make. */
function answersAhead({ targetOf, cache, engine, onFault }: AppParts): (url: string) => boolean {
  return (url) => {
    const target = targetOf(url);
    if (target === null || cache.prepare(url)) return false;
    const request = { ...target, url, method: 'GET', headers: {}, body: Buffer.alloc(0), viewer: anonymous };
    const work = async () => {
      const { reply } = await engine.answer({ ...request, correlationId: '', ahead: true });
      reply.release?.();
      cache.prepare(url);
    };
    detach(work, (error) => onFault(error, ''));
    return true;
  };
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
    app.route(readable(route([...all], root + url, answer), { pattern: first.pattern }));
  }
  for (const url of [root, `${root}/*`]) app.route(readable(route(methodsOf(app), url, answer)));
}

/** The pattern as the framework's router writes it: `/cms/v2/posts/:id`. */
function urlOf(pattern: string): string {
  const { prefix, segments } = parsePattern(pattern);
  if (segments === null) return `/${[...prefix, '*'].join('/')}`;
  return `/${segments.map((segment) => ('digits' in segment ? `:${segment.digits}` : segment.literal)).join('/')}`;
}
