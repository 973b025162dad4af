import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import { parseQuery } from '#text/query-string.ts';
import type { ReadLimit } from '#text/read-time.ts';
import { Unwanted } from '#text/suspended.ts';
import { parameterFault, unreadRefusal } from './bounds.ts';
import { type AnswerCache, createRecentRequests, createWatch, type RecentRequests, type Watch } from './cache.ts';
import { type Dispatched, dispatch } from './dispatch.ts';
import type { MovedAnswer } from './elsewhere.ts';
import { jsonpName } from './envelope.ts';
import { bytesOf, finish } from './finish.ts';
import { createForeignCheck, type ForeignCheck, isAct } from './foreign.ts';
import { type FlatHeaders, headerNames, originHeaders } from './headers.ts';
import { kept, ready, sendingOf } from './held.ts';
import { hasGone, headerIn, type Input, isPlainRead, methodOf, type RawRequest, readInput } from './input.ts';
import { GONE } from './limits.ts';
import { askElsewhere, isLong, isMovable, readBest, replyFrom } from './moving.ts';
import type { ListBounds } from './present.ts';
import { refusalFor, traced } from './problem.ts';
import { type Reply, valueIn, withoutBody } from './reply.ts';
import { ResponseBudget } from './response-budget.ts';
import { refusedOutcome } from './run.ts';
import type { Asker, Runtime } from './runtime.ts';
import { type AnsweredReply, type MadeAnswer, sendable } from './sent.ts';
import { compileTable, type FoundEndpoint } from './table.ts';
import type { EngineHost, Route } from './types.ts';

export interface EngineOptions<M, S extends M> {
  readonly host: EngineHost<M, S>;
  readonly routes: readonly Route<M, S>[];
  /** Path of the route root without trailing slash. */
  readonly root: string;
  readonly cache: AnswerCache;
  /** Whether answers are compressed for clients that accept that. */
  readonly compresses: boolean;
  /** Seconds for which caches may answer public reads without asking; 0: they ask each time. */
  readonly publicMaxAge: number;
  /** Maximum bytes of the parameters of a read. */
  readonly parameterLimit: number;
  /** Maximum characters of the list that a read returns, and of all such lists that are being made. */
  readonly answerLimit: number;
  readonly answersLimit: number;
  readonly corsOrigins?: readonly string[];
  /** Prefix of the interface's own headers, without the last hyphen. */
  readonly headerPrefix: string;
  /** Link relation by which responses without a `Link` header of their own point to the route root. */
  readonly relation: string;
  /** Called for every exception that led to an error response. */
  readonly onFault: (error: unknown, correlationId: string) => void;
}

export interface Incoming extends RawRequest, Asker {
  readonly url: string;
  /** No client has asked: the answer is made for the cache. */
  readonly ahead?: true;
  /** What ends a read that no other thread can answer; absent: nothing. */
  readonly limit?: ReadLimit;
  /** The result of `match`, if it has been called already. */
  readonly matched?: Matched;
}

export interface Matched {
  readonly method: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** The endpoint receives files, so the body must be left unread. */
  readonly takesFiles: boolean;
  /** Callers authenticate by signing the body instead of logging in, so the limit for anonymous requests does not apply. */
  readonly isSigned: boolean;
}

export type { AnsweredReply } from './sent.ts';

export interface Engine {
  readonly answer: (request: Incoming) => AnsweredReply | Promise<AnsweredReply>;
  readonly match: (request: Incoming) => Matched;
  readonly refuse: (refusal: Refusal, viewer: Viewer) => AnsweredReply;
  readonly refuseUnread: (request: Incoming) => AnsweredReply;
  /** CORS headers for the page whose browser sent the request; none without an `Origin` header. */
  readonly originHeaders: (request: Pick<Incoming, 'method' | 'headers'>) => FlatHeaders;
}

interface RequestContext {
  readonly request: Incoming;
  readonly input: Input;
  readonly watch: Watch;
  readonly jsonp: string | null;
  readonly time: ReadLimit | null;
  readonly bounds: ListBounds;
}

interface EngineParts<M, S extends M> {
  readonly runtime: Runtime<M, S>;
  readonly cache: AnswerCache;
  readonly compresses: boolean;
  readonly recentRequests: RecentRequests;
  readonly rootLink: () => string;
  readonly foreign: ForeignCheck;
  readonly parameterLimit: number;
  readonly answerLimit: number;
  readonly budget: ResponseBudget;
}

const FOREIGN = refuse('rest_cross_site_request', 'A page of another site may not do this in the name of a user.');
const BAD_NONCE = refuse('rest_cookie_invalid_nonce', 'Cookie check failed');
const NO_HEADERS: FlatHeaders = [];
const NOTHING_ASKED: Input['query'] = {};

export function createEngine<M, S extends M>(options: EngineOptions<M, S>): Engine {
  const { host, routes, root, cache, relation, answerLimit, answersLimit, onFault } = options;
  const base = (model?: M) => host.siteUrl(model) + root;
  const self: EngineParts<M, S> = {
    runtime: {
      host,
      table: compileTable(routes),
      base,
      names: headerNames(options.headerPrefix, options.publicMaxAge),
      onFault,
    },
    cache,
    compresses: options.compresses,
    recentRequests: createRecentRequests(),
    rootLink: () => `<${base()}/>; rel="${relation}"`,
    parameterLimit: options.parameterLimit,
    answerLimit,
    budget: new ResponseBudget(answersLimit),
    foreign: createForeignCheck({ siteUrl: () => host.siteUrl(), named: options.corsOrigins ?? [] }),
  };
  const failed = (error: unknown, request: Incoming) => {
    if (error instanceof Unwanted) return turnDown(self, GONE, request);
    onFault(error, request.correlationId);
    return turnDown(self, traced(refusalFor(error), request.correlationId), request);
  };
  return {
    refuse: (refusal, viewer) => turnDown(self, refusal, { viewer }),
    refuseUnread: (request) => turnDown(self, unreadRefusal(self.runtime, request), request),
    originHeaders: ({ method, headers }) => {
      const origin = headerIn(headers, 'origin');
      if (origin === undefined) return NO_HEADERS;
      // The response to an anonymous read is public.
      const isNobodys = headers['authorization'] === undefined && (method === 'GET' || method === 'HEAD');
      const credentials = isNobodys || self.foreign.isTrusted(origin, headers);
      const preflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
      return originHeaders(origin, { names: self.runtime.names, credentials, preflight });
    },
    match: (request) => match(self, request),
    answer: (request) => {
      try {
        const answered = (isSuspect(self, request) ? null : kept(self, request)) ?? answerMatched(self, request);
        return answered instanceof Promise ? answered.catch((error: unknown) => failed(error, request)) : answered;
      } catch (error) {
        return failed(error, request);
      }
    },
  };
}

interface Match<M, S extends M> extends Matched {
  readonly query: Record<string, unknown>;
  readonly found: FoundEndpoint<M, S> | null;
}

function match<M, S extends M>({ runtime }: EngineParts<M, S>, request: Incoming): Match<M, S> {
  const query = parseQuery(request.query);
  const method = methodOf(request, query);
  const found = runtime.table.find(method, request.path, runtime.host.model());
  const endpoint = found?.endpoint.endpoint;
  const takesFiles = endpoint !== undefined && 'upload' in endpoint;
  const isSigned = endpoint !== undefined && 'runsAsAnonymous' in endpoint && endpoint.runsAsAnonymous === true;
  return { method, query, found, takesFiles, isSigned };
}

function answerMatched<M, S extends M>(
  self: EngineParts<M, S>,
  request: Incoming,
): AnsweredReply | Promise<AnsweredReply> {
  const matched = (request.matched as Match<M, S> | undefined) ?? match(self, request);
  const answered = isSuspect(self, request) ? null : ready(self, request, matched.found);
  if (answered !== null) return answered;
  const input = readInput(request, matched.query);
  return input instanceof Promise
    ? input.then((read) => carryOut(self, { request, matched }, read))
    : carryOut(self, { request, matched }, input);
}

function carryOut<M, S extends M>(
  self: EngineParts<M, S>,
  { request, matched }: { readonly request: Incoming; readonly matched: Match<M, S> },
  input: Input,
): AnsweredReply | Promise<AnsweredReply> {
  const { viewer } = request;
  const asked = input.query;
  const tooLarge = parameterFault(input, request, self.parameterLimit);
  if (tooLarge !== null) return turnDown(self, tooLarge, { viewer, asked });
  const jsonp = jsonpName(asked['_jsonp']);
  if (isRefusal(jsonp)) return turnDown(self, jsonp, { viewer, asked });
  if (isSuspect(self, request) && isAct(request.method, input, writes(self, input))) {
    return turnDown(self, FOREIGN, { viewer, asked });
  }
  // No nonces are issued, so any is invalid. Clients may send an old one beside a password.
  if (viewer.id === 0 && request.headers[self.runtime.names.nonce] !== undefined)
    return turnDown(self, BAD_NONCE, { viewer, asked, jsonp });
  // A form body can override the method; the match was made without reading the body.
  const found = input.method === matched.method ? matched.found : undefined;
  const make = (time: ReadLimit | null) =>
    self.budget.run((room) => {
      const bounds = { max: self.answerLimit, room };
      const watch = createWatch(self.runtime.host.cacheVersion);
      const context = { request, input, jsonp, time, bounds, watch };
      const to = { asker: request, watch, unread: request.unread ?? null, time, bounds, matched: found };
      const dispatched = dispatch(self.runtime, input, to);
      return dispatched instanceof Promise
        ? dispatched.then((value) => complete(self, context, value))
        : complete(self, context, dispatched);
    });
  const isGone = hasGone(input.sent);
  const { elsewhere } = self.runtime.host;
  if (elsewhere === undefined || !isMovable(request, { input, found, names: self.runtime.names })) {
    return make(request.limit ?? null);
  }
  const move = async () => {
    const moved = await askElsewhere(elsewhere, request, { isGone });
    return moved === null ? make(null) : sentMoved(self, request, moved);
  };
  return readBest(elsewhere, { here: make, there: move, isLong: isLong({ input, found }) });
}

function sentMoved<M, S extends M>(
  self: EngineParts<M, S>,
  request: Incoming,
  moved: MovedAnswer,
): AnsweredReply | Promise<AnsweredReply> {
  const { reply, route, isTruncated, isText, depends, isSecret, position } = moved;
  const { cacheVersion } = self.runtime.host;
  const versions = depends?.map((key) => ({ key, version: cacheVersion(key) })) ?? null;
  const isCurrent = versions?.every(({ version }) => version <= position) === true;
  return sendable(sendingOf(self), request, {
    reply: replyFrom(reply),
    route,
    isTruncated,
    isText,
    isSecret,
    position: null,
    from: 'thread',
    versions: isCurrent ? versions : null,
  });
}

function isSuspect<M, S extends M>({ foreign }: EngineParts<M, S>, { headers }: Incoming): boolean {
  return headers['authorization'] !== undefined && foreign.isForeign(headers);
}

function writes<M, S extends M>({ runtime }: EngineParts<M, S>, { method, path }: Input): boolean {
  const endpoint = runtime.table.find(method, path, runtime.host.model())?.endpoint.endpoint;
  return endpoint !== undefined && !('query' in endpoint);
}

function complete<M, S extends M>(
  self: EngineParts<M, S>,
  context: RequestContext,
  dispatched: Dispatched<M>,
): AnsweredReply | Promise<AnsweredReply> {
  const { input, jsonp, watch, time, bounds } = context;
  const { viewer } = context.request;
  const reply = finish(
    self.runtime,
    { input, dispatched },
    {
      viewer,
      jsonp,
      watch,
      time,
      bounds,
      isGone: hasGone(input.sent),
      rootLink: self.rootLink(),
    },
  );
  const made = (value: Reply) =>
    sendable(sendingOf(self), context.request, madeHere(self, context, { dispatched, value }));
  return reply instanceof Promise ? reply.then(made) : made(reply);
}

function madeHere<M, S extends M>(
  { runtime: { names } }: EngineParts<M, S>,
  { request, input, watch }: RequestContext,
  { dispatched, value }: { readonly dispatched: Dispatched<M>; readonly value: Reply },
): MadeAnswer {
  const { outcome, route, position } = dispatched;
  const reply = input.method === 'HEAD' && request.method !== 'HEAD' ? withoutBody(value) : value;
  const isRead = isPlainRead(request, names) && input.query['_method'] === undefined;
  const isWhole = isRead && route !== null && outcome.status === 200 && reply.status === 200;
  return {
    reply,
    route,
    position,
    isTruncated: valueIn(reply.head, names.truncated) !== undefined,
    isText: outcome.shown.kind === 'text',
    isSecret: outcome.headers['Cache-Control'] !== undefined,
    versions: isWhole ? watch.versions() : null,
  };
}

interface TurnDown {
  readonly viewer: Viewer;
  readonly asked?: Input['query'];
  readonly jsonp?: string | null;
}

function turnDown<M, S extends M>(
  { runtime, rootLink }: EngineParts<M, S>,
  refusal: Refusal,
  { viewer, asked = NOTHING_ASKED, jsonp = null }: TurnDown,
): AnsweredReply {
  const finished = { outcome: refusedOutcome(refusal, viewer), position: null };
  const watch = createWatch(runtime.host.cacheVersion);
  const to = { viewer, jsonp, watch, rootLink: rootLink(), names: runtime.names };
  const reply = bytesOf({ method: '', query: asked }, finished, to);
  return { reply, route: null, position: null };
}
