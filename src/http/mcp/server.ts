import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { takesTokens } from '#commands/token-viewer.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { headerIn } from '../engine/input.ts';
import { refusalFor, statusOf } from '../message/problem.ts';
import type { Authenticator, Identity } from '../server/auth.ts';
import { methodsOf, type RouteAnswer, route } from '../server/exchange.ts';
import { drainBody, type Intake, type IntakeFault } from '../server/intake.ts';
import { type LoginThrottle, postAttempts } from '../server/login-throttle.ts';
import { answerMessage, type McpCall, type ToolParts } from './answer.ts';
import type { Tool } from './tools.ts';

export interface McpOptions extends ToolParts {
  /** Path of the endpoint. */
  readonly path: string;
  readonly model: () => Model;
  readonly tools: () => readonly Tool[];
  readonly authenticator: Pick<Authenticator, 'identify'>;
  readonly loginThrottle: LoginThrottle;
  readonly intake: Intake;
  readonly isForeign: (headers: IncomingMessage['headers']) => boolean;
  readonly addressOf: (request: IncomingMessage) => string;
  readonly notFound: RouteAnswer;
  readonly onFault: (error: unknown, correlationId: string) => void;
}

/** Error codes of the protocol. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const OTHER = -32000;

const UNREAD: Readonly<Record<IntakeFault, Problem>> = {
  'too large': { status: 413, message: 'The message is too long.' },
  'too slow': { status: 408, message: 'The message took too long to arrive.' },
  aborted: { status: 400, message: 'The message was cut off.' },
  'no room': { status: 503, message: 'Too much is being sent at the moment.', headers: { 'Retry-After': '5' } },
};

/** Serves the Model Context Protocol (Streamable HTTP, one JSON response to each message) while the site accepts tokens. */
export function addMcp(app: FastifyInstance, options: McpOptions): void {
  const { path, onFault } = options;
  app.setErrorHandler((error, request, reply) => {
    onFault(error, request.id);
    const status = statusOf(refusalFor(error), anonymous);
    problemReply(reply, { status, message: 'This does not work at the moment.' });
  });
  app.route(route(methodsOf(app), path, answerer(options)));
}

function answerer(options: McpOptions): RouteAnswer {
  const { path, model, tools, authenticator, loginThrottle, intake, isForeign, addressOf, notFound } = options;
  const { engine, origins } = options;
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const started = performance.now();
    const { raw, id: correlationId } = request;
    if (!takesTokens(model())) return notFound(request, reply);
    const peer = addressOf(raw);
    const identity = authenticator.identify(raw.headers.authorization, () => peer);
    const { viewer } = identity;
    let position: number | null = null;
    const note = () => {
      request.answered = { route: 'mcp', actor: viewer.id, position, ms: performance.now() - started };
    };
    const problem = problemOf(raw, identity, isForeign(raw.headers));
    if (problem !== null) {
      drainBody(raw, intake.bodyLimit);
      note();
      return problemReply(reply, problem);
    }
    const taken = await intake.read(raw, { limit: intake.bodyLimit, nobody: false });
    if ('fault' in taken) {
      note();
      return problemReply(reply, UNREAD[taken.fault]);
    }
    try {
      const caller = { viewer, correlationId, peer, attempt: postAttempts(loginThrottle, () => peer) };
      const onWrite = (at: number) => {
        position = at;
      };
      const made = await answerBody(requestOf(raw, path), taken.body, {
        engine,
        origins,
        tools: tools(),
        caller,
        onWrite,
      });
      note();
      if (!(made instanceof Response)) return problemReply(reply, made);
      reply.code(made.status).headers(Object.fromEntries(made.headers)).header('Cache-Control', 'no-store');
      return reply.send(await made.text());
    } finally {
      taken.release();
    }
  };
}

interface Problem {
  readonly status: number;
  readonly code?: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Why a message is refused; null if it is accepted. */
function problemOf({ method }: IncomingMessage, { viewer, wait }: Identity, isForeign: boolean): Problem | null {
  if (isForeign) return { status: 403, message: 'A page of another site may not do this.' };
  if (wait > 0) return { status: 429, message: 'Too many wrong tokens.', headers: { 'Retry-After': String(wait) } };
  if (viewer.token === undefined) {
    return { status: 401, message: 'A token is needed.', headers: { 'WWW-Authenticate': 'Bearer' } };
  }
  return method === 'POST' ? null : { status: 405, message: 'Send messages by POST.', headers: { Allow: 'POST' } };
}

async function answerBody(request: Request, body: Buffer, call: McpCall): Promise<Response | Problem> {
  const message = parsed(body);
  if (message === undefined) return { status: 400, code: PARSE_ERROR, message: 'This is not JSON.' };
  if (Array.isArray(message)) return { status: 400, code: INVALID_REQUEST, message: 'Send one message at a time.' };
  return answerMessage(request, message, call);
}

function problemReply(reply: FastifyReply, { status, code = OTHER, message, headers = {} }: Problem): FastifyReply {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
  return reply
    .code(status)
    .headers({ ...headers, 'Content-Type': 'application/json' })
    .send(body);
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The parts of a request that the protocol reads; the body has already been read. */
function requestOf({ headers }: IncomingMessage, path: string): Request {
  const names = ['accept', 'content-type', 'mcp-protocol-version'];
  const kept = names.flatMap((name): [string, string][] => {
    const value = headerIn(headers, name);
    return value === undefined ? [] : [[name, value]];
  });
  return new Request(`http://site.invalid${path}`, { method: 'POST', headers: kept });
}
