import type { IncomingMessage } from 'node:http';
import { refuse } from '#domain/kernel/refusal.ts';
import { anonymous } from '#domain/user/roles.ts';
import { detach } from '#process/guard.ts';
import { tooManyAttempts } from '../engine/attempts.ts';
import type { Answered, Engine, Incoming } from '../engine/engine.ts';
import type { FlatHeaders } from '../engine/headers.ts';
import { NO_ROOM, TOO_MANY_ANSWERS } from '../engine/limits.ts';
import { refusalFor, traced } from '../engine/problem.ts';
import type { Pieces } from '../engine/types.ts';
import { Waits } from '../engine/waits.ts';
import { createAbortSignals } from './abort-signals.ts';
import type { Authenticator, Identity } from './auth.ts';
import { drainBody, giveUpWhenIdle, hasBody, isLonger } from './body.ts';
import { CORRELATION } from './correlation.ts';
import type { Exchange } from './exchange.ts';
import { type Guesses, postAttempts } from './guesses.ts';
import type { Intake } from './intake.ts';
import type { Origins } from './origin.ts';
import { pump } from './pump.ts';
import { ageHeaders, BEHIND, type Recency, untilShown } from './recency.ts';
import type { Sending } from './sending.ts';
import type { Target } from './target.ts';

export interface ServerOptions {
  readonly engine: Engine;
  readonly authenticator: Pick<Authenticator, 'identify'>;
  readonly guesses: Guesses;
  /** Maximum bytes of the parameters of a read and of any anonymous request. */
  readonly parameterLimit: number;
  readonly sending: Sending;
  readonly intake: Intake;
  /** Prefix of the interface's own headers, without the last hyphen. */
  readonly headerPrefix: string;
  /** Absent: the read model is always up to date. */
  readonly recency: Recency | undefined;
  /** Determines client addresses; absent: the peer of the connection. */
  readonly origins: Origins | undefined;
  /** Called for exceptions outside the engine. */
  readonly onFault: (error: unknown, correlationId: string) => void;
}

export interface Server {
  readonly serve: (exchange: Exchange, target: Target) => void;
  readonly notFound: (exchange: Exchange) => void;
  readonly fail: (exchange: Exchange, error: unknown) => void;
  /** Refuses a request because the read model lacks a position that it must show. */
  readonly behind: (exchange: Exchange) => void;
  readonly close: () => void;
}

/** Milliseconds within which more of an upload must arrive. */
const IDLE = 60_000;
const NO_BODY = Buffer.alloc(0);
const TOO_SLOW = refuse('rest_request_timeout', 'The request took too long to arrive.');
const NO_ROUTE = refuse('rest_no_route', 'No route was found matching the URL and request method.');

export function createServer(options: ServerOptions): Server {
  const {
    engine,
    headerPrefix: prefix,
    authenticator,
    guesses,
    parameterLimit,
    sending,
    intake,
    recency,
    origins,
    onFault,
  } = options;
  const { bodyLimit } = intake;
  // Otherwise a wrong password would look like none at all.
  const failedLogin: FlatHeaders = [`${prefix}-Auth`, 'failed'];
  const position = `${prefix}-Position`.toLowerCase();
  const abortSignals = createAbortSignals();
  const addressIn = (request: IncomingMessage) => origins?.addressOf(request) ?? request.socket.remoteAddress ?? '';
  const write = (exchange: Exchange, answered: Answered, failed = false) => {
    // During shutdown, unanswered requests have already been refused.
    if (exchange.response.headersSent) return;
    // A kept-alive connection would delay the shutdown.
    if (abortSignals.isClosing()) exchange.response.shouldKeepAlive = false;
    const { method = 'GET', headers } = exchange.request;
    const own = [CORRELATION, exchange.id];
    if (headers.origin !== undefined) own.push(...engine.originHeaders({ method, headers }));
    if (recency !== undefined) own.push(...ageHeaders(recency, prefix));
    if (failed) own.push(...failedLogin);
    const hasRoom = sending.take(answered.reply.body, exchange.response, { isWrite: answered.position !== null });
    const pieces = writeHead(exchange, hasRoom ? answered : engine.refuse(TOO_MANY_ANSWERS, anonymous), own);
    if (pieces === null) return;
    const { make, until } = pieces;
    detach(
      () => pump(exchange.response, make(), until),
      (error) => onFault(error, exchange.id),
    );
  };
  const fail = (exchange: Exchange, error: unknown) => {
    try {
      onFault(error, exchange.id);
      write(exchange, engine.refuse(traced(refusalFor(error), exchange.id), anonymous));
    } catch {
      // No response is possible; the client at least sees the connection close.
      exchange.response.destroy();
    }
  };
  const serve = async (exchange: Exchange, target: Target) => {
    const started = performance.now();
    const { request: raw } = exchange;
    const waits = new Waits();
    if (isRead(raw.method ?? 'GET')) recency?.asked();
    const waiting = recency === undefined ? null : untilShown(raw.headers[position], recency);
    const behind = waiting instanceof Promise ? await waits.during('position', waiting) : waiting;
    const gone = () => abortSignals.of(exchange.response);
    // Read now: a socket that has been closed has no address.
    const address = isRead(raw.method ?? 'GET') ? undefined : origins?.addressOf(raw);
    const peer = address ?? raw.socket.remoteAddress ?? '';
    const identity = authenticator.identify(raw.headers.authorization, () => addressIn(raw));
    const incoming = {
      ...incomingOf(exchange, target, identity),
      peer,
      gone,
      waits,
      attempt: postAttempts(guesses, () => addressIn(raw)),
    };
    const send = (answered: Answered) => {
      const { route, position, reply } = answered;
      const { correlationId } = incoming;
      // A few GETs write. A socket whose address was read above still knows it.
      const from = address ?? (position === null ? undefined : origins?.addressOf(raw));
      const { token } = identity.viewer;
      const via = token && `token ${token.name}`;
      if (position !== null && from !== undefined) origins?.note?.({ position, correlationId, address: from, via });
      exchange.note({
        address: identity.failed ? addressIn(raw) : origins?.note === undefined ? undefined : from,
        actor: incoming.viewer.id,
        route,
        ms: performance.now() - started,
        waited: waits.all,
        bytes: bytesOf(raw.method, reply),
        position,
        isTruncated: answered.isTruncated,
        source: incoming.method === 'GET' ? (answered.from ?? 'made') : undefined,
      });
      write(exchange, answered, identity.failed);
    };
    const refused = identity.wait > 0 ? tooManyAttempts(identity.wait) : behind;
    if (refused !== null) {
      drainBody(raw, bodyLimit);
      return send(engine.refuse(refused, incoming.viewer));
    }
    if (!hasBody(raw)) {
      const answered = engine.answer(incoming);
      return send(answered instanceof Promise ? await answered : answered);
    }
    const nobody = incoming.viewer.id === 0;
    const matched = engine.match(incoming);
    const isSmall = (nobody && !matched.isSigned) || isRead(incoming.method);
    const limit = isSmall ? Math.min(parameterLimit, bodyLimit) : bodyLimit;
    if (matched.takesFiles) {
      const { hold, release } = intake.room(nobody);
      const unread = { bytes: raw, limit, hold };
      giveUpWhenIdle(raw, IDLE);
      const isRefused = nobody && isLonger(raw, limit);
      try {
        send(await (isRefused ? engine.refuseUnread(incoming) : engine.answer({ ...incoming, matched, unread })));
      } finally {
        release();
        drainBody(raw, bodyLimit);
      }
      return;
    }
    const taken = await waits.during('body', intake.read(raw, { limit, nobody }));
    if ('body' in taken) {
      try {
        send(await engine.answer({ ...incoming, matched, body: taken.body }));
      } finally {
        taken.release();
      }
    } else if (taken.fault === 'too large') send(engine.refuseUnread(incoming));
    else if (taken.fault !== 'aborted') {
      exchange.response.shouldKeepAlive = false;
      send(engine.refuse(taken.fault === 'no room' ? NO_ROOM : TOO_SLOW, incoming.viewer));
    }
  };
  return {
    serve: (exchange, target) =>
      detach(
        () => serve(exchange, target),
        (error) => fail(exchange, error),
      ),
    fail,
    notFound: (exchange) => write(exchange, engine.refuse(NO_ROUTE, anonymous)),
    behind: (exchange) => write(exchange, engine.refuse(BEHIND, anonymous)),
    close: abortSignals.close,
  };
}

export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

function incomingOf({ request, id }: Exchange, { path, query }: Target, { viewer }: Identity): Incoming {
  const { method = 'GET', url = '', headers } = request;
  return {
    method,
    url,
    path,
    query,
    headers,
    body: NO_BODY,
    viewer,
    correlationId: id,
  };
}

/** Bytes of the body; undefined for a stream, whose length is unknown. */
function bytesOf(method: string | undefined, { status, body, pieces }: Answered['reply']): number | undefined {
  if (method === 'HEAD' || status === 304) return 0;
  return pieces === undefined ? body.length : undefined;
}

function writeHead({ request, response }: Exchange, { reply }: Answered, own: FlatHeaders): Pieces | null {
  response.writeHead(reply.status, reply.head.concat(own));
  if (reply.pieces !== undefined && request.method !== 'HEAD') return reply.pieces;
  if (request.method === 'HEAD' || reply.status === 304) response.end(reply.release);
  else response.end(reply.body, reply.release);
  return null;
}
