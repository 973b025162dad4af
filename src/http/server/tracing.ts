import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';

export interface RequestTracing {
  readonly begin: (request: TracedRequest, work: () => void) => EndOfRequest;
}

export interface TracedRequest {
  readonly id: string;
  readonly method: string;
  /** Without the query, which may contain the password of a post. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export type EndOfRequest = (answer: { readonly route: string; readonly status: number }) => void;

/** Source of the answer to a read: the answer cache, a ready answer, made for the request here or in the reader thread. */
export type AnswerSource = 'kept' | 'ready' | 'made' | 'thread';

/** What was attempted: a login, or the password of a protected post. */
export type AttemptKind = 'login' | 'post';

export interface RequestMeter {
  /** `route`: its pattern, or `page`, `file` or `none`; `ms`: time until the response was ready to be sent. */
  request(route: string, method: string, status: number, ms: number): void;
  read(source: AnswerSource, count?: number): void;
  /** A password was wrong, or was refused unchecked after too many wrong ones. */
  attempt(kind: AttemptKind, outcome: 'failed' | 'refused'): void;
  /** Takes over how many bytes a cache uses; in the place of one with the same name. */
  cache?(name: string, bytes: () => number): void;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the trace of the request. */
    endTrace: EndOfRequest | null;
  }
}

export function addTracing(app: FastifyInstance, { begin }: RequestTracing): void {
  app.decorateRequest('endTrace', null);
  app.addHook('onRequest', (request, _, done) => {
    if (request.routeOptions.url?.startsWith('/health/') === true) return done();
    const { id, method, originalUrl, headers } = request;
    request.endTrace = begin({ id, method, headers, path: originalUrl.split('?', 1)[0] ?? '' }, done);
  });
  app.addHook('onResponse', (request, reply, done) => {
    request.endTrace?.({ route: request.answered?.route ?? 'none', status: reply.raw.statusCode });
    done();
  });
}
