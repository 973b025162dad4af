import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import { parseQuery } from '#text/query-string.ts';
import { jsonpName } from '../message/envelope.ts';
import { type FlatHeaders, headerNames, originHeaders, type PublicCaching } from '../message/headers.ts';
import { refusalFor, traced } from '../message/problem.ts';
import { replyOf } from '../message/reply.ts';
import { ignoredIn } from './args.ts';
import { boundedAt, closedTo, NO_ROUTE, parameterFault, unreadRefusal } from './bounds.ts';
import { type AnswerCache, createRecentRequests, createWatch } from './cache.ts';
import { createForeignCheck, type ForeignCheck, isAct } from './foreign.ts';
import { previewFor } from './held-in.ts';
import type { Asker, EngineHost, Incoming, Matched, Runtime } from './host.ts';
import { headerIn, type Input, isPlainRead, methodOf, readInput } from './input.ts';
import { describeAt } from './options.ts';
import { refusedOutcome } from './outcome.ts';
import { readsWhereTheyBelong, readWhereItBelongs } from './place.ts';
import { JSON_TYPE } from './present.ts';
import { withEmbedded } from './read.ts';
import { type AnsweredReply, madeAnswer, type Responding, refused, respond, withTags } from './respond.ts';
import { compileTable, type FoundEndpoint } from './table.ts';
import type { Route } from './types.ts';
import { carryUpload } from './upload.ts';
import { carryWrite } from './write.ts';

export interface EngineOptions<M, S extends M> {
  readonly host: EngineHost<M, S>;
  readonly routes: readonly Route<M, S>[];
  /** Path of the route root without trailing slash. */
  readonly root: string;
  readonly cache: AnswerCache;
  /** Whether answers are compressed for clients that accept that. */
  readonly compresses: boolean;
  /** What caches may do with public reads. Absent: they ask each time. */
  readonly publicCaching?: PublicCaching;
  /** Maximum bytes of the parameters of a read. */
  readonly parameterLimit: number;
  /** Maximum characters of the list that a read returns. */
  readonly answerLimit: number;
  readonly corsOrigins?: readonly string[];
  /** Prefix of the interface's own headers, without the last hyphen. */
  readonly headerPrefix: string;
  /** Link relation by which responses without a `Link` header of their own point to the route root. */
  readonly relation: string;
  /** Called for every exception that led to an error response. */
  readonly onFault: (error: unknown, correlationId: string) => void;
}

export type { Incoming, Matched } from './host.ts';

export interface Engine {
  readonly answer: (request: Incoming) => AnsweredReply | Promise<AnsweredReply>;
  readonly match: (request: Incoming) => Matched;
  readonly refuse: (refusal: Refusal, viewer: Viewer) => AnsweredReply;
  readonly refuseUnread: (request: Incoming) => AnsweredReply;
  /** CORS headers for the page whose browser sent the request; none without an `Origin` header. */
  readonly originHeaders: (request: Pick<Incoming, 'method' | 'headers'>) => FlatHeaders;
}

interface EngineParts<M, S extends M> extends Responding {
  readonly runtime: Runtime<M, S>;
  readonly foreign: ForeignCheck;
  readonly parameterLimit: number;
}

const FOREIGN = refuse(
  'rest_cross_site_request',
  'A page of another site may not do this in the name of a user; the setting CORS_ORIGINS names the origins that may.',
);
const BAD_NONCE = refuse('rest_cookie_invalid_nonce', 'Cookie check failed');
const NO_HEADERS: FlatHeaders = [];

export function createEngine<M, S extends M>(options: EngineOptions<M, S>): Engine {
  const { host, routes, root, cache, relation, onFault } = options;
  const base = (model?: M) => host.siteUrl(model) + root;
  const names = headerNames(options.headerPrefix, options.publicCaching);
  const self: EngineParts<M, S> = {
    runtime: { host, table: compileTable(routes), base, names, answerLimit: options.answerLimit, onFault },
    names,
    cacheVersion: host.cacheVersion,
    cache,
    compresses: options.compresses,
    recentRequests: createRecentRequests(),
    rootLink: () => `<${base()}/>; rel="${relation}"`,
    parameterLimit: options.parameterLimit,
    foreign: createForeignCheck({ siteUrl: () => host.siteUrl(), named: options.corsOrigins ?? [] }),
  };
  const failed = (error: unknown, request: Incoming) => {
    onFault(error, request.correlationId);
    return refused(self, traced(refusalFor(error), request.correlationId), request);
  };
  return {
    refuse: (refusal, viewer) => refused(self, refusal, { viewer }),
    refuseUnread: (request) => refused(self, unreadRefusal(self.runtime, request), request),
    originHeaders: (request) => corsHeaders(self, request),
    match: (request) => match(self, request),
    answer: (request) => {
      try {
        const answered = answer(self, request);
        return answered instanceof Promise ? answered.catch((error: unknown) => failed(error, request)) : answered;
      } catch (error) {
        return failed(error, request);
      }
    },
  };
}

/** Answers a request. What follows stands in the order in which it happens. */
function answer<M, S extends M>(self: EngineParts<M, S>, request: Incoming): AnsweredReply | Promise<AnsweredReply> {
  const isForeign = isSuspect(self, request);
  const cached = isForeign ? null : fromCache(self, request);
  if (cached !== null) return respond(self, request, cached);
  const matched = (request.matched as Match<M, S> | undefined) ?? match(self, request);
  const prerendered = isForeign ? null : fromPrerendered(self, request, matched.found);
  if (prerendered !== null) return respond(self, request, prerendered);
  const input = readInput(request, matched.query);
  return input instanceof Promise
    ? input.then((whole) => carryOut(self, { request, matched, input: whole }))
    : carryOut(self, { request, matched, input });
}

/** A cached answer to the same request that is still true. */
function fromCache<M, S extends M>({ cache, names }: EngineParts<M, S>, request: Incoming): AnsweredReply | null {
  if (!isPlainRead(request, names)) return null;
  const found = cache.find(request.url, request.viewer, headerIn(request.headers, 'accept-encoding'));
  if (found === null) return null;
  const { reply, route, isSecret } = found;
  return { reply, route, isSecret, position: null, from: 'kept' };
}

interface Match<M, S extends M> extends Matched {
  readonly query: Record<string, unknown>;
  readonly found: FoundEndpoint<M, S> | null;
}

/** The endpoint of a request, by its method and path. */
function match<M, S extends M>({ runtime }: EngineParts<M, S>, request: Incoming): Match<M, S> {
  const query = parseQuery(request.query);
  const method = methodOf(request, query);
  const found = runtime.table.find(method, request.path, runtime.host.model());
  const endpoint = found?.endpoint.endpoint;
  const takesFiles = endpoint !== undefined && 'upload' in endpoint;
  const isSigned = endpoint !== undefined && 'runsAsAnonymous' in endpoint && endpoint.runsAsAnonymous === true;
  return { method, query, found, takesFiles, isSigned };
}

/** The prerendered answer to an anonymous request without a query string. */
function fromPrerendered<M, S extends M>(
  { runtime: { host }, names, rootLink }: EngineParts<M, S>,
  request: Incoming,
  found: FoundEndpoint<M, S> | null,
): AnsweredReply | null {
  const { viewer, query } = request;
  if (viewer.id !== 0 || query !== '' || !isPlainRead(request, names)) return null;
  const endpoint = found?.endpoint.endpoint;
  if (found === null || endpoint === undefined || !('query' in endpoint)) return null;
  const prerendered = endpoint.ready?.(host.model(), found.path) ?? null;
  if (prerendered === null) return null;
  const { bytes, version, digest, allow, depends, release, headers } = prerendered;
  const tagged = { version, digest };
  const head = { names, type: JSON_TYPE, viewer, rootLink: rootLink(), headers, allow, tagged };
  const versions = depends.map((key) => ({ key, version: host.cacheVersion(key) }));
  const made = { ...replyOf(200, bytes, head), release };
  const reply = withTags(made, { names, viewer, keys: depends });
  return { reply, route: found.route.route.pattern, position: null, from: 'ready', versions };
}

interface Carried<M, S extends M> {
  readonly request: Incoming;
  readonly matched: Match<M, S>;
  readonly input: Input;
}

function carryOut<M, S extends M>(
  self: EngineParts<M, S>,
  { request, matched, input }: Carried<M, S>,
): AnsweredReply | Promise<AnsweredReply> {
  const asked = input.query;
  const jsonp = jsonpName(asked['_jsonp']);
  if (isRefusal(jsonp))
    return refused(self, parameterFault(input, request, self.parameterLimit) ?? jsonp, { ...request, asked });
  const refusal = refusedAtTheDoor(self, request, input);
  // A page of another site could read what calls a function of it.
  if (refusal !== null) return refused(self, refusal, { ...request, asked, jsonp: refusal === FOREIGN ? null : jsonp });
  const { runtime } = self;
  const model = runtime.host.model();
  const watch = createWatch(runtime.host.cacheVersion);
  const asking = { request, input, jsonp, watch };
  if (input.method === 'OPTIONS') {
    watch.add(null);
    return madeAnswer(self, asking, {
      position: null,
      ...describeAt(runtime, input, { viewer: request.viewer, model }),
    });
  }
  // A form body can override the method; the match was made without reading the body.
  const found = input.method === matched.method ? matched.found : runtime.table.find(input.method, input.path, model);
  if (found === null) {
    return madeAnswer(self, asking, { outcome: refusedOutcome(NO_ROUTE, request.viewer), route: null, position: null });
  }
  const route = found.route.route.pattern;
  const preview = previewFor(runtime, input, found);
  if (isRefusal(preview)) {
    watch.add(null);
    return madeAnswer(self, asking, { outcome: refusedOutcome(preview, request.viewer), route, position: null });
  }
  const viewer = preview?.viewer ?? boundedAt(request.viewer, found, input.method);
  if (isRefusal(viewer)) {
    watch.add(null);
    return madeAnswer(self, asking, { outcome: refusedOutcome(viewer, request.viewer), route, position: null });
  }
  const ignored = ignoredIn(input.sources, found.endpoint.args, found.path);
  if ('query' in found.endpoint.endpoint)
    return readWhereItBelongs(self, { ...asking, ignored, found, viewer, preview: preview ?? undefined });
  watch.add(null);
  const asker = { viewer, correlationId: request.correlationId };
  const write = () =>
    writeAt(runtime, { input, found, asker, request }).then(({ outcome, position }) => {
      const reading = { runtime, viewer: request.viewer, model: runtime.host.model(), isPast: false, watch };
      const whole = withEmbedded(outcome, input, { ...reading, max: runtime.answerLimit });
      return madeAnswer(self, { ...asking, ignored }, { outcome: whole, route, position });
    });
  return readsWhereTheyBelong(self, { request, input, found, viewer }, write);
}

/** The refusal of a request for what it is, whatever it asks for. */
function refusedAtTheDoor<M, S extends M>(self: EngineParts<M, S>, request: Incoming, input: Input): Refusal | null {
  const tooLarge = parameterFault(input, request, self.parameterLimit);
  if (tooLarge !== null) return tooLarge;
  if (isSuspect(self, request) && isAct(request.method, input, writes(self, input))) return FOREIGN;
  // No nonces are issued, so any is invalid. Clients may send an old one beside a password.
  return request.viewer.id === 0 && request.headers[self.names.nonce] !== undefined ? BAD_NONCE : null;
}

interface WriteAsked<M, S extends M> {
  readonly input: Input;
  readonly found: FoundEndpoint<M, S>;
  readonly asker: Asker;
  readonly request: Incoming;
}

async function writeAt<M, S extends M>(
  runtime: Runtime<M, S>,
  { input, found, asker, request }: WriteAsked<M, S>,
): ReturnType<typeof carryWrite> {
  const { endpoint } = found.endpoint;
  const closed = closedTo(runtime.host, asker.viewer);
  if (closed !== null && !('unwritten' in endpoint)) {
    return { outcome: refusedOutcome(closed, asker.viewer), position: null };
  }
  if (!('upload' in endpoint)) return carryWrite(runtime, input, { found, asker });
  return carryUpload(runtime, input, { found, endpoint, asker, unread: request.unread ?? null });
}

function isSuspect<M, S extends M>({ foreign }: EngineParts<M, S>, { headers }: Incoming): boolean {
  return headers['authorization'] !== undefined && foreign.isForeign(headers);
}

function writes<M, S extends M>({ runtime }: EngineParts<M, S>, { method, path }: Input): boolean {
  const endpoint = runtime.table.find(method, path, runtime.host.model())?.endpoint.endpoint;
  return endpoint !== undefined && !('query' in endpoint);
}

function corsHeaders<M, S extends M>(
  { foreign, names }: EngineParts<M, S>,
  { method, headers }: Pick<Incoming, 'method' | 'headers'>,
): FlatHeaders {
  const origin = headerIn(headers, 'origin');
  if (origin === undefined) return NO_HEADERS;
  // The response to an anonymous read is public.
  const isNobodys = headers['authorization'] === undefined && (method === 'GET' || method === 'HEAD');
  const credentials = isNobodys || foreign.isTrusted(origin, headers);
  const preflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  return originHeaders(origin, { names, credentials, preflight });
}
