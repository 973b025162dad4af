import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { RequestMeter } from './meter.ts';

export interface JournalOptions {
  readonly logger: FastifyBaseLogger | undefined;
  readonly meter: RequestMeter | undefined;
}

/** Writes one log line for each answered request, and tells the meter of it. */
export function addJournal(app: FastifyInstance, { logger, meter }: JournalOptions): void {
  app.decorateRequest('answered', null);
  if (logger === undefined && meter === undefined) return;
  app.addHook('onResponse', (request, reply, done) => {
    const { answered, id: reqId } = request;
    if (answered !== null) {
      const { route, ms, source, ...rest } = answered;
      const status = reply.raw.statusCode;
      meter?.request(route ?? 'none', request.raw.method ?? '', status, ms);
      if (source !== undefined) meter?.read(source);
      logger?.info({ reqId, ...rest, route, status, ms }, 'request');
    }
    done();
  });
}
