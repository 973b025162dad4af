import type { IncomingMessage } from 'node:http';
import type { FastifyBaseLogger } from 'fastify';
import { defaultNames, type InterfaceNames } from '#domain/site/interface-names.ts';
import type { LoginCounts, Readings } from '#domain/user/logins.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { PasswordUses } from '#domain/user/state.ts';
import { isAnnounced } from '#eventstore/port.ts';
import { type AnswerCache, createAnswerCache } from '../engine/cache.ts';
import { createEngine, type Engine } from '../engine/engine.ts';
import type { EngineHost } from '../engine/host.ts';
import type { Route } from '../engine/types.ts';
import type { PublicCaching } from '../message/headers.ts';
import { isTooLarge } from '../message/problem.ts';
import { type Authenticator, type CredentialSource, createAuthenticator, withTokens } from '../server/auth.ts';
import { type HandOver, type RouteAnswer, takeOver } from '../server/exchange.ts';
import { createIntake, type Intake } from '../server/intake.ts';
import { createLoginThrottle, type LoginThrottle } from '../server/login-throttle.ts';
import type { Origins } from '../server/origin.ts';
import type { Recency } from '../server/recency.ts';
import { SendBuffer } from '../server/sending.ts';
import { createServer, type Server } from '../server/serve.ts';
import { createTargetReader, type RequestTarget } from '../server/target.ts';
import type { RequestMeter } from '../server/tracing.ts';

/** What the routes of a server share. */
export interface AppParts extends World {
  readonly names: InterfaceNames;
  /** Path of the route root without trailing slash. */
  readonly root: string;
  readonly loginThrottle: LoginThrottle;
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
  /** Maximum bytes of the parameters of a GET and of any anonymous request. Default 64 KiB. */
  readonly parameterLimit?: number;
  /** Maximum bytes of all bodies held in memory. Default 64 MiB. */
  readonly bodiesLimit?: number;
  /** Maximum characters of the list that a read returns. Default: as `bodiesLimit`. */
  readonly answerLimit?: number;
  /** Maximum bytes of all long answers that clients have yet to read. Default: four times `bodiesLimit`. */
  readonly answersLimit?: number;
}

interface EngineOptions<M, S extends M> extends Limits {
  readonly host: EngineHost<M, S>;
  readonly routes: readonly Route<M, S>[];
  readonly corsOrigins?: readonly string[];
}

interface LoginOptions {
  readonly host: Pick<
    EngineHost<never, never>,
    'authenticate' | 'authenticatePerson' | 'authenticateToken' | 'takesPasswords' | 'cacheVersion' | 'usersKey'
  >;
  /** Wrong passwords within a quarter of an hour after which all are refused; 0: no limit. Default 20. */
  readonly guessLimit?: number;
  /** Counts wrong passwords. Default: those of this application alone. */
  readonly loginThrottle?: LoginThrottle;
  /** Absent: nobody notes which passwords are used. */
  readonly store?: {
    readonly uses: Pick<PasswordUses, 'note'>;
    readonly logins?: Pick<LoginCounts, 'note'>;
    readonly readings?: Pick<Readings, 'note'>;
  };
  /** The id of an account; 0 if there is none of that name. */
  readonly userNamed?: (name: string) => number;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

/** What is told of requests and faults. */
export interface Observers {
  readonly logger?: FastifyBaseLogger;
  /** Called for every request. */
  readonly meter?: RequestMeter;
  readonly onFault?: (error: unknown) => void;
}

export interface PartOptions<M, S extends M> extends EngineOptions<M, S>, Omit<LoginOptions, 'host'>, Observers {
  /** Names of the interface. Default: those of the documentation. */
  readonly names?: InterfaceNames;
  /** Maximum bytes of a body. Default 10 MiB. */
  readonly bodyLimit?: number;
  /** Milliseconds within which a body without files must arrive. Default two minutes. */
  readonly bodyTimeout?: number;
  /** Maximum bytes of the answer cache; 0: nothing is cached. Default 16 MiB. */
  readonly cacheBytes?: number;
  /** Whether answers are compressed for clients that accept that. Default: yes. */
  readonly compress?: boolean;
  /** What caches may do with public reads of the interface. Default: they ask each time. */
  readonly publicCaching?: PublicCaching;
  /** How current the read model is; absent: always up to date. */
  readonly recency?: Recency;
  /** Determines client addresses; absent: the peer of the connection. */
  readonly origins?: Origins | undefined;
  /** Set in a reader: answers every request that is no plain read, or whose answer fails here. */
  readonly handOver?: HandOver;
}

const MEBIBYTE = 1024 * 1024;

export function createParts<M, S extends M>(options: PartOptions<M, S>, world: World): AppParts {
  const { host, names = defaultNames, recency, origins, cacheBytes = 16 * MEBIBYTE, bodyTimeout = 120_000 } = options;
  const { bodyLimit = 10 * MEBIBYTE } = options;
  const { bodiesLimit, parameterLimit, answersLimit } = limitsOf(options);
  const root = `/${names.root}`;
  const onFault = faultHandlerOf(options);
  const loginThrottle = loginThrottleOf(options);
  const { authenticator, forInterface } = authenticatorsOf(options, loginThrottle, world);
  const intake = createIntake({ bodyLimit, bodiesLimit, timeout: bodyTimeout });
  const cache = createAnswerCache(host, { maxBytes: cacheBytes, compress: options.compress ?? true });
  options.meter?.cache?.('answers', () => cache.bytes);
  const engine = engineOf(options, { names, root, cache, onFault });
  const server = createServer({
    engine,
    loginThrottle,
    intake,
    parameterLimit,
    recency,
    origins,
    onFault,
    handOver: options.handOver,
    authenticator: forInterface,
    sending: new SendBuffer(answersLimit),
    headerPrefix: names.headers,
  });
  return {
    ...world,
    names,
    root,
    loginThrottle,
    authenticator,
    forInterface,
    intake,
    cache,
    engine,
    server,
    onFault,
    targetOf: createTargetReader(root),
    addressOf: (request) => origins?.addressOf(request) ?? request.socket.remoteAddress ?? '',
    notFound(request, reply) {
      server.notFound(takeOver(request, reply));
      return reply;
    },
  };
}

function limitsOf(options: Limits): Required<Limits> {
  const { parameterLimit = 64 * 1024, bodiesLimit = 64 * MEBIBYTE } = options;
  const { answerLimit = bodiesLimit, answersLimit = 4 * bodiesLimit } = options;
  return { parameterLimit, bodiesLimit, answerLimit, answersLimit };
}

function faultHandlerOf({
  logger,
  onFault,
  handOver,
}: Pick<PartOptions<never, never>, 'logger' | 'onFault' | 'handOver'>): AppParts['onFault'] {
  // Whoever answers in its place meets and reports it again.
  if (handOver !== undefined) return rethrow;
  return (error, correlationId) => {
    if (!isAnnounced(error) && !isTooLarge(error)) logger?.error({ err: error, correlationId }, 'request failed');
    onFault?.(error);
  };
}

function rethrow(error: unknown): never {
  throw error;
}

function loginThrottleOf({
  clock,
  guessLimit: limit = 20,
  logger,
  meter,
  loginThrottle,
  store,
  userNamed = () => 0,
}: LoginOptions & Observers): LoginThrottle {
  if (loginThrottle !== undefined) return loginThrottle;
  return createLoginThrottle({
    limit,
    clock: clock ?? (() => performance.now()),
    witness: {
      failed: (kind, about) => {
        logger?.warn({ kind, ...about }, 'wrong password');
        meter?.attempt(kind, 'failed');
        const { login } = about;
        if (kind === 'login') store?.logins?.note(typeof login === 'string' ? userNamed(login) : 0, false);
      },
      refused: (kind) => meter?.attempt(kind, 'refused'),
    },
  });
}

function authenticatorsOf(
  { host, store }: LoginOptions,
  loginThrottle: LoginThrottle,
  { clock }: World,
): Pick<AppParts, 'authenticator' | 'forInterface'> {
  const guarded = {
    loginThrottle,
    onLogin: store && (({ id }: Viewer) => store.logins?.note(id, true)),
    onUse: store && (({ password }: Viewer, address: () => string) => password && store.uses.note(password, address)),
  };
  const authenticator = createAuthenticator({ source: sourceOf(host, clock), ...guarded });
  const authenticateToken =
    host.authenticateToken && ((token: string) => host.authenticateToken?.(token, clock()) ?? null);
  return { authenticator, forInterface: withTokens(authenticator, { authenticateToken, ...guarded }) };
}

/** Accounts may end with a day, so who is asking also depends on the time. */
function sourceOf({ authenticatePerson, ...host }: LoginOptions['host'], clock: () => number): CredentialSource {
  return {
    ...host,
    authenticate: (login, password) => host.authenticate(login, password, clock()),
    ...(authenticatePerson && {
      authenticatePerson: (login: string, password: string) => authenticatePerson(login, password, clock()),
    }),
  };
}

export function engineOf<M, S extends M>(
  options: EngineOptions<M, S> & Pick<PartOptions<M, S>, 'compress' | 'publicCaching'>,
  { names, root, cache, onFault }: Pick<AppParts, 'names' | 'root' | 'cache' | 'onFault'>,
): Engine {
  const { host, routes, corsOrigins = [], compress: compresses = true, publicCaching } = options;
  const { parameterLimit, answerLimit } = limitsOf(options);
  return createEngine({
    host,
    routes,
    root,
    cache,
    parameterLimit,
    answerLimit,
    corsOrigins,
    onFault,
    compresses,
    ...(publicCaching && { publicCaching }),
    relation: names.relations.index,
    headerPrefix: names.headers,
  });
}
