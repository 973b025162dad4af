import { randomUUID } from 'node:crypto';
import { type FastifyInstance, fastify } from 'fastify';
import { namespaceName } from '#domain/site/interface-names.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { Partials } from '#media/partials.ts';
import { detach, listen } from '#process/guard.ts';
import type { Engine } from '../engine/engine.ts';
import { type AsOf, asOfHeader } from '../pages/as-of.ts';
import { type Connections, closeOnClientError } from '../server/connections.ts';
import type { Crawler } from '../server/crawler.ts';
import { type HandOver, leave, methodsOf, type RouteAnswer, readable, route, takeOver } from '../server/exchange.ts';
import { addHealth, type Health } from '../server/health.ts';
import { addJournal, addReadings, CORRELATION, correlationOf, type LoggedRequests } from '../server/journal.ts';
import { addResumable, type ResumableOptions } from '../server/resumable.ts';
import { createFolderReader, withoutOrigin } from '../server/target.ts';
import { addTracing, type RequestTracing } from '../server/tracing.ts';
import { addInterface } from './interface-routes.ts';
import { type AppParts, createParts, type Observers, type PartOptions } from './parts.ts';
import { addSite, type SiteOptions } from './site-routes.ts';

export type App = ReturnType<typeof buildApp>;

interface ConnectionOptions {
  /** Maximum number of open connections; further ones are closed at once. Default: any. */
  readonly connectionLimit?: number;
  readonly onDropped?: (() => void) | undefined;
  readonly onFault?: (error: unknown) => void;
}

interface ObserverOptions extends Observers {
  /** Which requests are logged. Default: all. */
  readonly logRequests?: LoggedRequests;
  /** Milliseconds from which a request is logged as slow. Default: a second. */
  readonly slowRequest?: number;
  readonly tracing?: RequestTracing;
}

interface HeaderOptions {
  /** Called for every request; needed to shut down the server. */
  readonly connections?: Connections;
  /** Receives the functions that make answers ahead of requests; absent: none are made ahead. */
  readonly crawler?: Crawler | undefined;
  /** Set if a past state of the site is served. */
  readonly asOf?: AsOf | undefined;
  readonly handOver?: HandOver | undefined;
  /** Uploads that arrive in pieces; absent: there are none. */
  readonly partials?: Partials | undefined;
  /** What the server does besides answering, by asking the engine. Returns a function that ends it. */
  readonly duties?: ((engine: Engine) => () => void) | undefined;
}

/** What a server is built from: all that its groups of routes and hooks take. */
export type AppOptions<M, S extends M> = PartOptions<M, S> &
  ConnectionOptions &
  ObserverOptions &
  HeaderOptions &
  Omit<SiteOptions, 'host' | 'routes'> & {
    /** Serves `/health/live` and `/health/ready`; absent: they do not exist. */
    readonly health?: Health;
  };

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
  const app = createFramework(() => options.host.siteUrl(), parts, otherwise);
  limitConnections(app, options);
  addObservers(app, options);
  addHeaders(app, options, parts);
  app.register(async (own) =>
    addInterface(own, options.routes, { root, answer: otherwise, model: options.host.model }),
  );
  if (options.partials !== undefined || options.handOver !== undefined) {
    app.register(async (own) => addResumable(own, resumableIn(options, parts)));
  }
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
  const rest = options.duties?.(parts.engine);
  if (rest !== undefined) app.addHook('onClose', async () => rest());
  app.addHook('preClose', (done) => {
    server.close();
    done();
  });
  return app;
}

function resumableIn<M, S extends M>({ host, partials }: AppOptions<M, S>, parts: AppParts): ResumableOptions {
  const { names, intake } = parts;
  const media = `/${namespaceName(names, 'cms/v2')}/media`;
  const { bodyLimit } = intake;
  return { ...parts, partials, bodyLimit, media, siteUrl: () => host.siteUrl(), headerPrefix: names.headers };
}

function createFramework(siteUrl: () => string, { server }: AppParts, otherwise: RouteAnswer): FastifyInstance {
  const belowFolder = createFolderReader(siteUrl);
  return fastify({
    rewriteUrl: ({ url = '/' }) => belowFolder(withoutOrigin(url)),
    // The framework's own logging makes a child logger per request, which costs as much as the response.
    logger: false,
    genReqId: ({ headers }) => correlationOf(headers, randomUUID),
    return503OnClosing: false,
    // A slow machine is no reason to give up, neither at the start nor at a stop.
    pluginTimeout: 0,
    clientErrorHandler: closeOnClientError,
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    // URLs that the framework cannot decode.
    frameworkErrors: (_, request, reply) =>
      detach(
        async () => otherwise(request, reply),
        (error) => server.fail(takeOver(request, reply), error),
      ),
  });
}

/** In place of the framework's compilers, which take time and memory to load: no route validates or writes by its schema. */
function noCompiler(): never {
  throw new Error('a route with a schema needs compilers of its own');
}

function limitConnections(
  app: FastifyInstance,
  { connectionLimit, onDropped, onFault = () => undefined }: ConnectionOptions,
): void {
  if (connectionLimit !== undefined) app.server.maxConnections = connectionLimit;
  listen(app.server, 'drop', () => onDropped?.(), onFault);
}

/** Adds what records requests. */
function addObservers(app: FastifyInstance, options: ObserverOptions & Pick<AppOptions<never, never>, 'store'>): void {
  const { logger, meter, logRequests = 'all', slowRequest = 1000, tracing, store } = options;
  addJournal(app, { logger, meter, logged: logRequests, slow: slowRequest });
  if (tracing !== undefined) addTracing(app, tracing);
  if (store?.readings !== undefined) addReadings(app, store.readings);
}

/** Adds the headers that all responses have, and what notes requests before they are answered. */
function addHeaders(
  app: FastifyInstance,
  { connections, crawler, asOf, handOver }: HeaderOptions,
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
