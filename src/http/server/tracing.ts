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
