import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { OriginOf } from '#domain/kernel/origin.ts';
import { anonymous, may, type Viewer } from '#domain/user/roles.ts';
import { detach } from '#process/guard.ts';
import type { Authenticator } from '../auth.ts';
import { refusalFor, statusOf } from '../engine/problem.ts';
import type { RequestMeter } from '../meter.ts';
import { type PageReply, redirectReply } from '../pages/reply.ts';
import type { Exchange } from '../serve.ts';
import { answerAudit, noticeReply } from './answer.ts';
import type { AuditStore } from './store.ts';

export interface AuditServerOptions {
  readonly store: AuditStore;
  readonly originOf: OriginOf | undefined;
  readonly authenticate: Authenticator;
  readonly logger: FastifyBaseLogger | undefined;
  readonly meter: RequestMeter | undefined;
  readonly onFault: (error: unknown, correlationId: string) => void;
}

/** Answers requests for the audit pages; false for those that are none of its business. */
export type AuditServer = (exchange: Exchange) => boolean;

const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="Audit", charset="UTF-8"' };

/** The audit pages, for administrators. They only read, so there is nothing that a foreign page could make a browser do. */
export function createAuditServer(options: AuditServerOptions): AuditServer {
  const { store, originOf, authenticate, logger, meter, onFault } = options;
  const answer = async (url: string, method: string, viewer: Viewer): Promise<PageReply> => {
    const elsewhere = withSlash(url);
    if (elsewhere !== null) return elsewhere;
    if (!may(viewer, 'manage_options')) return turnedAway(viewer, { url, store });
    if (method !== 'GET' && method !== 'HEAD') return notAllowed({ url, store });
    return answerAudit(url, { store, originOf, pause: turn });
  };
  const serve = async (exchange: Exchange) => {
    const started = performance.now();
    const { url = '', method = '', headers } = exchange.request;
    const viewer = authenticate(headers.authorization);
    const reply = await answer(url, method, viewer);
    write(exchange, reply);
    const ms = performance.now() - started;
    meter?.request('audit', method, reply.status, ms);
    logger?.info(
      { reqId: exchange.id, actor: viewer.id, route: 'audit', status: reply.status, ms, position: null },
      'request',
    );
  };
  const fail = (exchange: Exchange, error: unknown) => {
    try {
      onFault(error, exchange.id);
      const place = { url: exchange.request.url ?? '', store };
      write(exchange, noticeReply('This does not work at the moment', statusOf(refusalFor(error), anonymous), place));
    } catch {
      // Nothing more can be said; the client at least sees the connection end.
      exchange.response.destroy();
    }
  };
  return (exchange) => {
    const { url = '' } = exchange.request;
    if (!/^\/cms-audit(?:[/?]|$)/.test(url)) return false;
    detach(
      () => serve(exchange),
      (error) => fail(exchange, error),
    );
    return true;
  };
}

/** Before anybody is asked for a login: browsers keep one for all that is beside the address that asked for it. */
function withSlash(url: string): PageReply | null {
  const found = /^\/cms-audit(\?.*)?$/s.exec(url);
  return found === null ? null : redirectReply(`cms-audit/${found[1] ?? ''}`);
}

/** Who is nobody is asked who he is; who may not see this is told so. */
function turnedAway({ id }: Viewer, place: Place): PageReply {
  if (id !== anonymous.id) return noticeReply('This is for administrators', 403, place);
  const reply = noticeReply('Log in with an application password of an administrator', 401, place);
  return { ...reply, headers: { ...reply.headers, ...CHALLENGE } };
}

function notAllowed(place: Place): PageReply {
  const reply = noticeReply('These pages can only be read', 405, place);
  return { ...reply, headers: { ...reply.headers, Allow: 'GET, HEAD' } };
}

interface Place {
  readonly url: string;
  readonly store: AuditStore;
}

function write({ request, response }: Exchange, { status, headers, body }: PageReply): void {
  const bytes = Buffer.from(body, 'utf8');
  response.writeHead(status, { ...headers, 'Content-Length': bytes.length });
  response.end(request.method === 'HEAD' ? undefined : bytes);
}
