import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { defaultNames, type InterfaceNames } from '#domain/site/interface-names.ts';
import { anonymous, type Viewer } from '#domain/user/roles.ts';
import type { PasswordUses } from '#domain/user/uses.ts';
import { isAnnounced } from '#eventstore/port.ts';
import { detach, listen } from '#process/guard.ts';
import type { Model } from '#projections/reading/model.ts';
import type { RunText } from '#text/suspended.ts';
import { addAudit } from './audit/server.ts';
import type { AuditStore } from './audit/store.ts';
import { type Accounts, addAuthorization } from './authorize/server.ts';
import { addAvatars } from './avatars/server.ts';
import { createAnswerCache } from './engine/cache.ts';
import { createEngine } from './engine/engine.ts';
import { createForeignCheck } from './engine/foreign.ts';
import { isTooLarge } from './engine/problem.ts';
import type { Host, Route } from './engine/types.ts';
import { addMcp } from './mcp/server.ts';
import { type Tool, toolsOf } from './mcp/tools.ts';
import { type AsOf, asOfHeader } from './pages/as-of.ts';
import { createCommentForm } from './pages/comment-form.ts';
import { createKeptPages } from './pages/kept.ts';
import { createPreviewLogin, PREVIEW, previewLength } from './pages/preview-login.ts';
import { addPages } from './pages/server.ts';
import type { ThemeFonts } from './pages/themes/fonts.ts';
import { addFonts } from './pages/themes/server.ts';
import { createAuthenticator } from './server/auth.ts';
import { withTokens } from './server/bearer.ts';
import { closeOnClientError } from './server/client-error.ts';
import type { Connections } from './server/connections.ts';
import { CORRELATION, correlationOf } from './server/correlation.ts';
import type { Crawler } from './server/crawler.ts';
import { type Answer, methodsOf, route, takeOver } from './server/exchange.ts';
import { addFiles, type StoredFile } from './server/files.ts';
import { createFolderReader, withoutOrigin } from './server/folder.ts';
import { createGuesses } from './server/guesses.ts';
import { addHealth, type Health } from './server/health.ts';
import { createIntake } from './server/intake.ts';
import { addJournal, type LoggedRequests } from './server/journal.ts';
import type { RequestMeter } from './server/meter.ts';
import type { Origins } from './server/origin.ts';
import { ageHeaders, type Recency } from './server/recency.ts';
import { Sending } from './server/sending.ts';
import { createServer, isRead } from './server/serve.ts';
import { createSessions, type SessionKeeper } from './server/sessions.ts';
import { createTargetReader } from './server/target.ts';
import { addTracing, type RequestTracing } from './server/tracing.ts';

export interface AppOptions<M, S extends M> {
  readonly host: Host<M, S>;
  readonly routes: readonly Route<M, S>[];
  /** Names of the interface. Default: those of the documentation. */
  readonly names?: InterfaceNames;
  /** Maximum bytes of a body. Default 10 MiB. */
  readonly bodyLimit?: number;
  /** Maximum bytes of the parameters of a GET and of any anonymous request. Default 64 KiB. */
  readonly parameterLimit?: number;
  /** Maximum bytes of all bodies held in memory. Default 64 MiB. */
  readonly bodiesLimit?: number;
  /** Maximum characters of the list that a read returns. Default: as `bodiesLimit`. */
  readonly answerLimit?: number;
  /** Maximum bytes of all long answers that clients have yet to read. Default: four times `bodiesLimit`. */
  readonly answersLimit?: number;
  /** Milliseconds within which a body without files must arrive. Default two minutes. */
  readonly bodyTimeout?: number;
  /** Receives the functions that make answers ahead of requests; absent: none are made ahead. */
  readonly crawler?: Crawler | undefined;
  /** Maximum bytes of the answer cache; 0: nothing is cached. Default 16 MiB. */
  readonly cacheBytes?: number;
  /** Whether cached answers are compressed for clients that accept that. Default: yes. */
  readonly compress?: boolean;
  /** Milliseconds of each turn of the event loop for all long reads together. Default 5. */
  readonly longReadShare?: number;
  readonly corsOrigins?: readonly string[];
  /** Finds uploaded files by their path below that of the uploads; absent: there are none. */
  readonly files?: (path: string) => StoredFile | null;
  /** How current the read model is; absent: always up to date. */
  readonly recency?: Recency;
  /** The model behind the pages for people; absent: there are no pages. */
  readonly pages?: () => Model;
  /** Fonts of the site's themes; absent: pages use fonts that visitors have. */
  readonly fonts?: ThemeFonts;
  /** Whether visitors without an account may comment on the pages. Default: no. */
  readonly visitorComments?: boolean;
  /** The data behind the audit pages; absent: there are none. */
  readonly audit?: AuditStore;
  /** Lets users give application passwords to programs; absent, or without `audit`: there is no page for that. */
  readonly accounts?: Accounts;
  /** Set if a past state of the site is served. */
  readonly asOf?: AsOf | undefined;
  readonly uses?: Pick<PasswordUses, 'note'>;
  /** Keeps logins to the audit pages across restarts; absent: they end with the process. */
  readonly sessions?: SessionKeeper;
  /** Wrong passwords within a quarter of an hour after which all are refused; 0: no limit. Default 20. */
  readonly guessLimit?: number;
  /** Maximum number of open connections; further ones are closed at once. Default: any. */
  readonly connectionLimit?: number;
  readonly onDropped?: (() => void) | undefined;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** Determines client addresses; absent: the peer of the connection. */
  readonly origins?: Origins | undefined;
  readonly logger?: FastifyBaseLogger;
  /** Which requests are logged. Default: all. */
  readonly logRequests?: LoggedRequests;
  /** Milliseconds from which a request is logged as slow. Default: a second. */
  readonly slowRequest?: number;
  /** Called for every request. */
  readonly meter?: RequestMeter;
  readonly tracing?: RequestTracing;
  /** Serves `/health/live` and `/health/ready`; absent: they do not exist. */
  readonly health?: Health;
  /** Called for every request; needed to shut down the server. */
  readonly connections?: Connections;
  readonly onFault?: (error: unknown) => void;
}

export type App = ReturnType<typeof buildApp>;

const MEBIBYTE = 1024 * 1024;
/** Lifetime in milliseconds of a login to the audit pages. */
const auditLength = 8 * 60 * 60 * 1000;
/** Lifetime in milliseconds of a login to the page that gives programs passwords. */
const authorizeLength = 10 * 60 * 1000;

/** Builds the HTTP server of a site: the table of routes serves everything below the route root. */
export function buildApp<M, S extends M>(options: AppOptions<M, S>): FastifyInstance {
  const { host, routes, names = defaultNames, bodyLimit = 10 * MEBIBYTE, cacheBytes = 16 * MEBIBYTE } = options;
  const { parameterLimit = 64 * 1024, bodiesLimit = 64 * MEBIBYTE, bodyTimeout = 120_000 } = options;
  const { answerLimit = bodiesLimit, answersLimit = 4 * bodiesLimit } = options;
  const { logger, meter, asOf } = options;
  const root = `/${names.root}`;
  const headerPrefix = names.headers;
  const onFault = (error: unknown, correlationId: string) => {
    if (!isAnnounced(error) && !isTooLarge(error)) logger?.error({ err: error, correlationId }, 'request failed');
    options.onFault?.(error);
  };
  const addressOf = (request: IncomingMessage) =>
    options.origins?.addressOf(request) ?? request.socket.remoteAddress ?? '';
  const { clock = Date.now, guessLimit: limit = 20 } = options;
  const guesses = createGuesses({
    limit,
    clock: options.clock ?? (() => performance.now()),
    witness: {
      failed: (kind, about) => {
        logger?.warn({ kind, ...about }, 'wrong password');
        meter?.attempt(kind, 'failed');
      },
      refused: (kind) => meter?.attempt(kind, 'refused'),
    },
  });
  const { uses } = options;
  const guarded = {
    guesses,
    onUse: uses && (({ password }: Viewer, address: () => string) => password && uses.note(password, address)),
  };
  const authenticator = createAuthenticator({ source: host, ...guarded });
  // Only the interface accepts tokens: pages do not enforce their limits.
  const authenticateToken =
    host.authenticateToken && ((token: string) => host.authenticateToken?.(token, clock()) ?? null);
  const forInterface = withTokens(authenticator, { authenticateToken, ...guarded });
  const intake = createIntake({ bodyLimit, bodiesLimit, timeout: bodyTimeout });
  const cache = createAnswerCache(host, { maxBytes: cacheBytes, compress: options.compress ?? true });
  const engine = createEngine({
    host,
    routes,
    root,
    cache,
    parameterLimit,
    answerLimit,
    answersLimit,
    longReadShare: options.longReadShare,
    corsOrigins: options.corsOrigins ?? [],
    relation: names.relations.index,
    headerPrefix,
    onFault,
  });
  const server = createServer({
    engine,
    authenticator: forInterface,
    guesses,
    parameterLimit,
    sending: new Sending(answersLimit),
    intake,
    headerPrefix,
    recency: options.recency,
    origins: options.origins,
    onFault,
  });
  const targetOf = createTargetReader(root);
  const answerAhead = (url: string): boolean => {
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
  const serveInterface = (request: FastifyRequest, reply: FastifyReply): boolean => {
    const target = targetOf(request.raw.url ?? '');
    if (target === null) return false;
    server.serve(takeOver(request, reply), target);
    return true;
  };
  const notFound: Answer = (request, reply) => {
    server.notFound(takeOver(request, reply));
    return reply;
  };
  let page = notFound;
  const otherwise: Answer = (request, reply) => (serveInterface(request, reply) ? reply : page(request, reply));
  const belowFolder = createFolderReader(() => host.siteUrl());
  const app = fastify({
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
  if (options.connectionLimit !== undefined) app.server.maxConnections = options.connectionLimit;
  listen(app.server, 'drop', () => options.onDropped?.(), options.onFault ?? (() => undefined));
  addJournal(app, { logger, meter, logged: options.logRequests ?? 'all', slow: options.slowRequest ?? 1000 });
  if (options.tracing !== undefined) addTracing(app, options.tracing);
  // Responses that bypass the framework write this header themselves.
  app.addHook('onSend', async (request, reply) => {
    reply.header(CORRELATION, request.id);
  });
  app.addHook('onRequest', (request, reply, done) => {
    options.connections?.note(request.raw, reply.raw);
    options.crawler?.note();
    if (asOf !== undefined) reply.raw.setHeader(`${headerPrefix}-As-Of`, asOfHeader(asOf));
    // Methods unknown to the framework.
    if (request.is404) notFound(request, reply);
    else done();
  });
  app.register(async (own) => {
    for (const url of [root, `${root}/*`]) own.route(route(methodsOf(app), url, otherwise));
  });
  app.register(async (site) => {
    site.addHook('onRequest', (request, reply, done) => {
      const { recency } = options;
      if (recency === undefined || targetOf(request.raw.url ?? '') !== null) return done();
      if (isRead(request.method)) recency.asked();
      if (recency.position() < recency.owed()) return server.behind(takeOver(request, reply));
      reply.raw.setHeaders(ageOf(recency, headerPrefix));
      done();
    });
    const { files: find, pages: model, audit } = options;
    const shared = { intake, authenticator, addressOf, notFound, onFault };
    if (find !== undefined) site.register(async (own) => addFiles(own, { find, ...shared }));
    const parts = audit && auditParts(options, audit, clock);
    if (parts !== undefined) {
      site.register(async (own) => addAudit(own, { ...parts, ...shared, runText: host.runText }));
      const { accounts, origins } = options;
      const authorizing = { ...parts, sessions: parts.authorizing, accounts, origins };
      if (accounts !== undefined)
        site.register(async (own) => addAuthorization(own, { ...authorizing, accounts, ...shared }));
    }
    if (model !== undefined) site.register(async (own) => addAvatars(own));
    if (model !== undefined) {
      const { isForeign } = createForeignCheck({ siteUrl: () => host.siteUrl(), named: [] });
      const formParts = { engine, names, guesses, isForeign, addressOf, origins: options.origins };
      const sendComment = options.visitorComments === true ? createCommentForm(formParts) : null;
      const { runText: work } = host;
      // Without `feed`: no page waits for feeds of other sites.
      const runText: RunText | undefined = work && ((task) => work(task));
      const kept = createKeptPages({ cache, cacheVersion: host.cacheVersion, runText });
      const { fonts } = options;
      if (fonts !== undefined) site.register(async (own) => addFonts(own, fonts));
      const previews = parts && createPreviewLogin({ ...shared, model, isForeign, sessions: parts.previewing });
      const kinds = { model, asOf, clock, guesses, sendComment, kept, runText, fonts, previews };
      const pages = addPages(site, { ...kinds, ...shared });
      page = pages.answer;
      if (options.crawler !== undefined) options.crawler.makers = { pages: pages.ahead, answers: answerAhead };
      let tools: readonly Tool[] | undefined;
      const forPrograms = createForeignCheck({ siteUrl: () => host.siteUrl(), named: options.corsOrigins ?? [] });
      const mcp = { engine, origins: options.origins, guesses, model, path: `${root}/mcp`, ...shared };
      site.register(async (own) =>
        addMcp(own, {
          ...{ ...mcp, authenticator: forInterface, isForeign: forPrograms.isForeign },
          tools: () => {
            tools ??= toolsOf(routes);
            return tools;
          },
        }),
      );
    }
    // `/?rest_route=` addresses the interface, too.
    for (const url of ['/', '/index.php']) site.route(route(methodsOf(app), url, otherwise));
  });
  if (options.health !== undefined) addHealth(app, options.health);
  app.addHook('preClose', (done) => {
    server.close();
    done();
  });
  return app;
}

function ageOf(recency: Recency, prefix: string): Map<string, string> {
  const [name, value] = ageHeaders(recency, prefix);
  return new Map(name === undefined || value === undefined ? [] : [[name, value]]);
}

type AuditOptions = Pick<AppOptions<never, never>, 'sessions' | 'origins'>;

function auditParts({ sessions, origins }: AuditOptions, store: AuditStore, clock: () => number) {
  const keeper = sessions ?? { record: { secret: randomUUID() + randomUUID(), ended: [] }, save: () => undefined };
  const { isForeign } = createForeignCheck({ siteUrl: () => store.reader.site().url, named: [] });
  const sessionsOf = createSessions({ keeper, clock, newId: randomUUID });
  return {
    ...{ store, isForeign, originOf: origins?.originOf },
    sessions: sessionsOf({ kind: 'session', right: 'manage_options', length: auditLength }),
    authorizing: sessionsOf({ kind: 'authorize', right: null, length: authorizeLength }),
    previewing: sessionsOf({ kind: PREVIEW, right: null, length: previewLength }),
  };
}
