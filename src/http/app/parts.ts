import type { IncomingMessage } from 'node:http';
import { defaultNames, type InterfaceNames } from '#domain/site/interface-names.ts';
import type { Viewer } from '#domain/user/roles.ts';
import { isAnnounced } from '#eventstore/port.ts';
import { type AnswerCache, createAnswerCache } from '../engine/cache.ts';
import { createEngine, type Engine } from '../engine/engine.ts';
import { isTooLarge } from '../engine/problem.ts';
import { type Authenticator, createAuthenticator, withTokens } from '../server/auth.ts';
import { type RouteAnswer, takeOver } from '../server/exchange.ts';
import { createIntake, type Intake } from '../server/intake.ts';
import { createLoginThrottle, type LoginThrottle } from '../server/login-throttle.ts';
import { SendBuffer } from '../server/sending.ts';
import { createServer, type Server } from '../server/serve.ts';
import { createTargetReader, type RequestTarget } from '../server/target.ts';
import type { AppOptions } from './options.ts';

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

const MEBIBYTE = 1024 * 1024;

export function createParts<M, S extends M>(options: AppOptions<M, S>, world: World): AppParts {
  const { host, names = defaultNames, recency, origins, cacheBytes = 16 * MEBIBYTE, bodyTimeout = 120_000 } = options;
  const limits = limitsOf(options);
  const { bodyLimit, bodiesLimit, parameterLimit, answersLimit } = limits;
  const root = `/${names.root}`;
  const onFault = faultHandlerOf(options);
  const guesses = guessesOf(options);
  const { authenticator, forInterface } = authenticatorsOf(options, guesses, world);
  const intake = createIntake({ bodyLimit, bodiesLimit, timeout: bodyTimeout });
  const cache = createAnswerCache(host, { maxBytes: cacheBytes, compress: options.compress ?? true });
  const engine = engineOf(options, limits, { names, root, cache, onFault });
  const server = createServer({
    ...{ engine, guesses, intake, parameterLimit, recency, origins, onFault },
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
  const { logger } = options;
  return (error, correlationId) => {
    if (!isAnnounced(error) && !isTooLarge(error)) logger?.error({ err: error, correlationId }, 'request failed');
    options.onFault?.(error);
  };
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

function engineOf<M, S extends M>(
  { host, routes, longReadShare, corsOrigins = [] }: AppOptions<M, S>,
  { parameterLimit, answerLimit, answersLimit }: Limits,
  { names, root, cache, onFault }: Pick<AppParts, 'names' | 'root' | 'cache' | 'onFault'>,
): Engine {
  return createEngine({
    ...{ host, routes, root, cache, parameterLimit, answerLimit, answersLimit, longReadShare, corsOrigins, onFault },
    relation: names.relations.index,
    headerPrefix: names.headers,
  });
}
