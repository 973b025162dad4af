import type { IncomingMessage } from 'node:http';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { anonymous, isAuditor } from '#domain/user/roles.ts';
import { detach } from '#process/guard.ts';
import { pauseForReads } from '#process/pauses.ts';
import type { Engine, Incoming, Matched } from '../engine/engine.ts';
import type { AnsweredReply } from '../engine/respond.ts';
import { Waits } from '../engine/waits.ts';
import { tooManyAttempts } from '../message/attempts.ts';
import { comeBackLater, needsStream } from '../message/event-stream.ts';
import type { FlatHeaders } from '../message/headers.ts';
import { BEHIND, NO_ROOM, TOO_MANY_ANSWERS } from '../message/limits.ts';
import { withLoginFault } from '../message/login-fault.ts';
import { refusalFor, traced } from '../message/problem.ts';
import type { Pieces } from '../message/reply.ts';
import type { Authenticator, Identity } from './auth.ts';
import { createAbortSignals, type Exchange, type HandOver, leaveExchange } from './exchange.ts';
import { drainBody, giveUpWhenIdle, hasBody, type Intake, isLonger } from './intake.ts';
import { CORRELATION } from './journal.ts';
import { type LoginThrottle, postAttempts } from './login-throttle.ts';
import type { Origins } from './origin.ts';
import { ageHeaders, type Recency, untilShown } from './recency.ts';
import { pump, type SendBuffer } from './sending.ts';
import type { RequestTarget } from './target.ts';

export interface ServerOptions {
  readonly engine: Engine;
  readonly authenticator: Pick<Authenticator, 'identify'>;
  readonly loginThrottle: LoginThrottle;
  /** Maximum bytes of the parameters of a read and of any anonymous request. */
  readonly parameterLimit: number;
  readonly sending: SendBuffer;
  readonly intake: Intake;
  /** Prefix of the interface's own headers, without the last hyphen. */
  readonly headerPrefix: string;
  /** Absent: the read model is always up to date. */
  readonly recency: Recency | undefined;
  /** Determines client addresses; absent: the peer of the connection. */
  readonly origins: Origins | undefined;
  /** Called for exceptions outside the engine. */
  readonly onFault: (error: unknown, correlationId: string) => void;
  /** See `AppOptions`. */
  readonly handOver?: HandOver | undefined;
}

export interface Server {
  readonly serve: (exchange: Exchange, target: RequestTarget) => void;
  readonly notFound: (exchange: Exchange) => void;
  readonly fail: (exchange: Exchange, error: unknown) => void;
  /** Refuses a request because the read model lacks a position that it must show. */
  readonly behind: (exchange: Exchange) => void;
  readonly close: () => void;
}

/** A request that is being answered. */
interface Asked {
  readonly exchange: Exchange;
  readonly incoming: Incoming;
  readonly identity: Identity;
  /** Of the client of a write. */
  readonly address: string | undefined;
  readonly waits: Waits;
  readonly started: number;
}

/** Milliseconds within which more of an upload must arrive. */
const IDLE = 60_000;
const NO_BODY = Buffer.alloc(0);
const DONE = Promise.resolve();
const TOO_SLOW = refuse('rest_request_timeout', 'The request took too long to arrive.');
const NO_ROUTE = refuse('rest_no_route', 'No route was found matching the URL and request method.');

export function createServer(options: ServerOptions): Server {
  return new RequestServer(options);
}

class RequestServer implements Server {
  readonly #options: ServerOptions;
  /** Otherwise a wrong password would look like none at all. */
  readonly #failedLogin: FlatHeaders;
  /** Name of the header with the position that a request wants to see. */
  readonly #position: string;
  readonly #abortSignals = createAbortSignals();

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#failedLogin = [`${options.headerPrefix}-Auth`, 'failed'];
    this.#position = `${options.headerPrefix}-Position`.toLowerCase();
  }

  serve(exchange: Exchange, target: RequestTarget): void {
    detach(
      () => this.#serve(exchange, target),
      (error) => this.fail(exchange, error),
    );
  }

  fail(exchange: Exchange, error: unknown): void {
    const { engine, onFault } = this.#options;
    if (this.#handOver(exchange)) return;
    try {
      onFault(error, exchange.id);
      this.#write(exchange, engine.refuse(traced(refusalFor(error), exchange.id), anonymous));
    } catch {
      // No response is possible; the client at least sees the connection close.
      exchange.response.destroy();
    }
  }

  notFound(exchange: Exchange): void {
    this.#write(exchange, this.#options.engine.refuse(NO_ROUTE, anonymous));
  }

  behind(exchange: Exchange): void {
    this.#write(exchange, this.#options.engine.refuse(BEHIND, anonymous));
  }

  close(): void {
    this.#abortSignals.close();
  }

  /** Waits until the read model shows what the request must see. Not `async`: most requests do not wait, and need no promise. */
  #serve(exchange: Exchange, target: RequestTarget): Promise<void> {
    const started = performance.now();
    const { recency } = this.#options;
    const { request: raw } = exchange;
    const waits = new Waits();
    if (isRead(raw.method ?? 'GET')) recency?.asked();
    const waiting = recency === undefined ? null : untilShown(raw.headers[this.#position], recency);
    if (!(waiting instanceof Promise)) return this.#admit(this.#ask(exchange, target, waits, started), waiting);
    return waits
      .during('position', waiting)
      .then((behind) => this.#admit(this.#ask(exchange, target, waits, started), behind));
  }

  /** Identifies the client. */
  #ask(exchange: Exchange, target: RequestTarget, waits: Waits, started: number): Asked {
    const { authenticator, loginThrottle, origins } = this.#options;
    const { request: raw } = exchange;
    const gone = () => this.#abortSignals.of(exchange.response);
    // Read now: a socket that has been closed has no address.
    const address = isRead(raw.method ?? 'GET') ? undefined : origins?.addressOf(raw);
    const peer = address ?? raw.socket.remoteAddress ?? '';
    const identity = authenticator.identify(raw.headers.authorization, () => this.#addressIn(raw));
    const incoming = {
      ...incomingOf(exchange, target, identity),
      peer,
      gone,
      waits,
      attempt: postAttempts(loginThrottle, () => this.#addressIn(raw)),
    };
    return { exchange, incoming, identity, address, waits, started };
  }

  #admit(asked: Asked, behind: Refusal | null): Promise<void> {
    const { engine, intake } = this.#options;
    const { exchange, incoming, identity } = asked;
    const refused = identity.wait > 0 ? tooManyAttempts(identity.wait) : behind;
    if (refused !== null) {
      drainBody(exchange.request, intake.bodyLimit);
      this.#send(asked, engine.refuse(refused, incoming.viewer));
      return DONE;
    }
    if (exchange.answer !== undefined) return this.#leaveTo(exchange.answer, asked);
    if (hasBody(exchange.request)) return this.#takeBody(asked);
    const answered = engine.answer(incoming);
    if (answered instanceof Promise) return answered.then((made) => this.#send(asked, made));
    this.#send(asked, answered);
    return DONE;
  }

  async #leaveTo(answer: NonNullable<Exchange['answer']>, asked: Asked): Promise<void> {
    const { request: raw } = asked.exchange;
    giveUpWhenIdle(raw, IDLE);
    try {
      this.#send(asked, await answer(asked.incoming));
    } finally {
      drainBody(raw, this.#options.intake.bodyLimit);
    }
  }

  #takeBody(asked: Asked): Promise<void> {
    const { engine, intake, parameterLimit } = this.#options;
    const { incoming } = asked;
    const matched = engine.match(incoming);
    const isSmall = (isNobody(incoming) && !matched.isSigned) || isRead(incoming.method);
    const limit = isSmall ? Math.min(parameterLimit, intake.bodyLimit) : intake.bodyLimit;
    return matched.takesFiles ? this.#takeFiles(asked, matched, limit) : this.#takeParameters(asked, matched, limit);
  }

  async #takeFiles(asked: Asked, matched: Matched, limit: number): Promise<void> {
    const { engine, intake } = this.#options;
    const { exchange, incoming } = asked;
    const { request: raw } = exchange;
    const nobody = isNobody(incoming);
    const { hold, release } = intake.room(nobody);
    const unread = { bytes: raw, limit, hold };
    giveUpWhenIdle(raw, IDLE);
    const isRefused = nobody && isLonger(raw, limit);
    try {
      const answered = isRefused ? engine.refuseUnread(incoming) : engine.answer({ ...incoming, matched, unread });
      this.#send(asked, await answered);
    } finally {
      release();
      drainBody(raw, intake.bodyLimit);
    }
  }

  async #takeParameters(asked: Asked, matched: Matched, limit: number): Promise<void> {
    const { engine, intake } = this.#options;
    const { exchange, incoming, waits } = asked;
    const nobody = isNobody(incoming);
    const taken = await waits.during('body', intake.read(exchange.request, { limit, nobody }));
    if ('body' in taken) {
      try {
        // Clients that were answered together send their next writes together.
        await pauseForReads();
        this.#send(asked, await engine.answer({ ...incoming, matched, body: taken.body }));
      } finally {
        taken.release();
      }
    } else if (taken.fault === 'too large') this.#send(asked, engine.refuseUnread(incoming));
    else if (taken.fault !== 'aborted') {
      exchange.response.shouldKeepAlive = false;
      this.#send(asked, engine.refuse(taken.fault === 'no room' ? NO_ROOM : TOO_SLOW, incoming.viewer));
    }
  }

  #handOver(exchange: Exchange): boolean {
    const { handOver } = this.#options;
    if (handOver === undefined || exchange.response.headersSent) return false;
    leaveExchange(exchange, handOver);
    return true;
  }

  /** Records what was answered, and answers it. */
  #send({ exchange, incoming, identity, address, waits, started }: Asked, answered: AnsweredReply): void {
    const { origins } = this.#options;
    if (answered.reply.pieces !== undefined && this.#handOver(exchange)) return;
    const { request: raw } = exchange;
    const { route, position, reply } = answered;
    const { correlationId } = incoming;
    // A few GETs write. A socket whose address was read above still knows it.
    const from = address ?? (position === null ? undefined : origins?.addressOf(raw));
    const { token } = identity.viewer;
    const via = token && `token ${token.name}`;
    if (position !== null && from !== undefined) origins?.note?.({ position, correlationId, address: from, via });
    exchange.note({
      address: identity.failed ? this.#addressIn(raw) : origins?.note === undefined ? undefined : from,
      actor: incoming.viewer.id,
      isAuditor: isAuditor(incoming.viewer),
      route,
      ms: performance.now() - started,
      waited: waits.all,
      bytes: bytesOf(raw.method, reply),
      position,
      isTruncated: answered.isTruncated,
      source: incoming.method === 'GET' ? (answered.from ?? 'made') : undefined,
    });
    this.#write(exchange, identity.failed ? { ...answered, reply: withLoginFault(reply) } : answered, identity.failed);
  }

  #write(exchange: Exchange, answered: AnsweredReply, failed = false): void {
    // During shutdown, unanswered requests have already been refused.
    if (exchange.response.headersSent) return;
    const { reply } = answered;
    if (reply.status === 503 && needsStream(exchange.request)) {
      this.#write(exchange, { ...answered, reply: comeBackLater(reply.release) }, failed);
      return;
    }
    const { engine, recency, sending, headerPrefix: prefix, onFault } = this.#options;
    // A kept-alive connection would delay the shutdown.
    if (this.#abortSignals.isClosing()) exchange.response.shouldKeepAlive = false;
    const { method = 'GET', headers } = exchange.request;
    const own = [CORRELATION, exchange.id];
    if (headers.origin !== undefined) own.push(...engine.originHeaders({ method, headers }));
    if (recency !== undefined) own.push(...ageHeaders(recency, prefix));
    if (failed) own.push(...this.#failedLogin);
    const hasRoom = sending.take(answered.reply.body, exchange.response, { isWrite: answered.position !== null });
    const pieces = writeHead(exchange, hasRoom ? answered : engine.refuse(TOO_MANY_ANSWERS, anonymous), own);
    if (pieces === null) return;
    const { make, until } = pieces;
    detach(
      () => pump(exchange.response, make(), until),
      (error) => onFault(error, exchange.id),
    );
  }

  #addressIn(request: IncomingMessage): string {
    return this.#options.origins?.addressOf(request) ?? request.socket.remoteAddress ?? '';
  }
}

export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
}

function isNobody({ viewer }: Incoming): boolean {
  return viewer.id === 0;
}

function incomingOf({ request, id }: Exchange, { path, query }: RequestTarget, { viewer }: Identity): Incoming {
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
function bytesOf(method: string | undefined, { status, body, pieces }: AnsweredReply['reply']): number | undefined {
  if (method === 'HEAD' || status === 304) return 0;
  return pieces === undefined ? body.length : undefined;
}

function writeHead({ request, response }: Exchange, { reply }: AnsweredReply, own: FlatHeaders): Pieces | null {
  response.writeHead(reply.status, reply.head.concat(own));
  if (reply.pieces !== undefined && request.method !== 'HEAD') return reply.pieces;
  if (request.method === 'HEAD' || reply.status === 304) response.end(reply.release);
  else response.end(reply.body, reply.release);
  return null;
}
