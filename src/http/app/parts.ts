import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { defaultNames, type InterfaceNames } from '#domain/site/interface-names.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { PasswordUses } from '#domain/user/state.ts';
import { isAnnounced } from '#eventstore/port.ts';
import type { Model } from '#projections/reading/model.ts';
import type { AuditStore } from '../audit/store.ts';
import type { Accounts } from '../authorize/server.ts';
import { type AnswerCache, createAnswerCache } from '../engine/cache.ts';
import { createEngine, type Engine } from '../engine/engine.ts';
import { isTooLarge } from '../engine/problem.ts';
import type { EngineHost, Route } from '../engine/types.ts';
import type { AsOf } from '../pages/as-of.ts';
import type { ThemeFonts } from '../pages/themes/fonts.ts';
import { type Authenticator, createAuthenticator, withTokens } from '../server/auth.ts';
import type { Connections } from '../server/connections.ts';
import type { Crawler } from '../server/crawler.ts';
import { type HandOver, type RouteAnswer, takeOver } from '../server/exchange.ts';
import type { DeliveredFile } from '../server/files.ts';
import type { Health } from '../server/health.ts';
import { createIntake, type Intake } from '../server/intake.ts';
import type { LoggedRequests } from '../server/journal.ts';
import { createLoginThrottle, type LoginThrottle } from '../server/login-throttle.ts';
import type { Origins } from '../server/origin.ts';
import type { Recency } from '../server/recency.ts';
import { SendBuffer } from '../server/sending.ts';
import { createServer, type Server } from '../server/serve.ts';
import type { SessionKeeper } from '../server/sessions.ts';
import { createTargetReader, type RequestTarget } from '../server/target.ts';
import type { RequestMeter, RequestTracing } from '../server/tracing.ts';

/** What the routes of a server share. */
export interface AppParts extends World {
  readonly names: InterfaceNames;
  /** Path of the route root without trailing slash. */
  readonly root: string;
  readonly guesses: LoginThrottle;
  readonly authenticator: Authenticator;
  /** Accepts tokens as well. Only for the interface: pages do not enforce the limits of tokens. */
  readonly forInterface: Pick<Authenticator, 'identify'>;
  readonly intake: Intake;
  readonly cache: AnswerCache;
  readonly engine: Engine;
  readonly server: Server;
  /** Returns what a URL addresses in the interface; null if it is outside. */
  readonly targetOf: (url: string) => RequestTarget | null;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly notFound: RouteAnswer;
  readonly onFault: (error: unknown, correlationId: string) => void;
}

export interface World {
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly newId: () => string;
}

interface Limits {
  readonly bodyLimit: number;
  readonly parameterLimit: number;
  readonly bodiesLimit: number;
  readonly answerLimit: number;
  readonly answersLimit: number;
}

export interface AppOptions<M, S extends M> {
  readonly host: EngineHost<M, S>;
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
  readonly corsOrigins?: readonly string[];
  /** Finds uploaded files by their path below that of the uploads; absent: there are none. */
  readonly files?: (path: string) => DeliveredFile | null;
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
  /** Counts wrong passwords. Default: those of this application alone. */
  readonly guesses?: LoginThrottle;
  /** Set in a reader: answers every request that is no plain read, or whose answer fails here. */
  readonly handOver?: HandOver;
}

const MEBIBYTE = 1024 * 1024;

export function createParts<M, S extends M>(options: AppOptions<M, S>, world: World): AppParts {
  const { host, names = defaultNames, recency, origins, cacheBytes = 16 * MEBIBYTE, bodyTimeout = 120_000 } = options;
  const limits = limitsOf(options);
  const { bodyLimit, bodiesLimit, parameterLimit, answersLimit } = limits;
  const root = `/${names.root}`;
  const onFault = faultHandlerOf(options);
  const guesses = options.guesses ?? guessesOf(options);
  const { authenticator, forInterface } = authenticatorsOf(options, guesses, world);
  const intake = createIntake({ bodyLimit, bodiesLimit, timeout: bodyTimeout });
  const cache = createAnswerCache(host, { maxBytes: cacheBytes, compress: options.compress ?? true });
  const engine = engineOf(options, { names, root, cache, onFault });
  const server = createServer({
    ...{ engine, guesses, intake, parameterLimit, recency, origins, onFault, handOver: options.handOver },
    authenticator: forInterface,
    sending: new SendBuffer(answersLimit),
    headerPrefix: names.headers,
  });
  return {
    ...world,
    ...{ names, root, guesses, authenticator, forInterface, intake, cache, engine, server, onFault },
    targetOf: createTargetReader(root),
    addressOf: (request) => origins?.addressOf(request) ?? request.socket.remoteAddress ?? '',
    notFound(request, reply) {
      server.notFound(takeOver(request, reply));
      return reply;
    },
  };
}

function limitsOf<M, S extends M>(options: AppOptions<M, S>): Limits {
  const { bodyLimit = 10 * MEBIBYTE, parameterLimit = 64 * 1024, bodiesLimit = 64 * MEBIBYTE } = options;
  const { answerLimit = bodiesLimit, answersLimit = 4 * bodiesLimit } = options;
  return { bodyLimit, parameterLimit, bodiesLimit, answerLimit, answersLimit };
}

function faultHandlerOf<M, S extends M>(options: AppOptions<M, S>): AppParts['onFault'] {
  const { logger, handOver } = options;
  // Whoever answers in its place meets and reports it again.
  if (handOver !== undefined) return rethrow;
  return (error, correlationId) => {
    if (!isAnnounced(error) && !isTooLarge(error)) logger?.error({ err: error, correlationId }, 'request failed');
    options.onFault?.(error);
  };
}

function rethrow(error: unknown): never {
  throw error;
}

function guessesOf<M, S extends M>({ clock, guessLimit: limit = 20, logger, meter }: AppOptions<M, S>): LoginThrottle {
  return createLoginThrottle({
    limit,
    clock: clock ?? (() => performance.now()),
    witness: {
      failed: (kind, about) => {
        logger?.warn({ kind, ...about }, 'wrong password');
        meter?.attempt(kind, 'failed');
      },
      refused: (kind) => meter?.attempt(kind, 'refused'),
    },
  });
}

function authenticatorsOf<M, S extends M>(
  { host, uses }: AppOptions<M, S>,
  guesses: LoginThrottle,
  { clock }: World,
): Pick<AppParts, 'authenticator' | 'forInterface'> {
  const guarded = {
    guesses,
    onUse: uses && (({ password }: Viewer, address: () => string) => password && uses.note(password, address)),
  };
  const authenticator = createAuthenticator({ source: host, ...guarded });
  const authenticateToken =
    host.authenticateToken && ((token: string) => host.authenticateToken?.(token, clock()) ?? null);
  return { authenticator, forInterface: withTokens(authenticator, { authenticateToken, ...guarded }) };
}

export function engineOf<M, S extends M>(
  options: AppOptions<M, S>,
  { names, root, cache, onFault }: Pick<AppParts, 'names' | 'root' | 'cache' | 'onFault'>,
): Engine {
  const { host, routes, corsOrigins = [] } = options;
  const { parameterLimit, answerLimit, answersLimit } = limitsOf(options);
  return createEngine({
    ...{ host, routes, root, cache, parameterLimit, answerLimit, answersLimit, corsOrigins, onFault },
    relation: names.relations.index,
    headerPrefix: names.headers,
  });
}
