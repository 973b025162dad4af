import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Answered } from './exchange.ts';
import type { RequestMeter } from './meter.ts';

export type LoggedRequests = 'all' | 'writes' | 'slow' | 'none';

export interface RequestLogOptions {
  readonly logger: FastifyBaseLogger | undefined;
  readonly meter: RequestMeter | undefined;
  readonly logged: LoggedRequests;
  /** Milliseconds from which a request is slow. */
  readonly slow: number;
}

const NOWHERE: Pick<Answered, 'route' | 'actor' | 'position'> = { route: null, actor: 0, position: null };
const HEALTH = '/health/';
const READS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** Writes one log line per request, except for health checks, and reports each to the meter. */
export function addJournal(app: FastifyInstance, { logger, meter, logged, slow }: RequestLogOptions): void {
  app.decorateRequest('answered', null);
  if (logger === undefined && meter === undefined) return;
  const takesLines = logger !== undefined && ['trace', 'debug', 'info'].includes(logger.level);
  app.addHook('onResponse', (request, reply, done) => {
    if (!isAboutHealth(request)) {
      const answered = request.answered ?? { ...NOWHERE, ms: reply.elapsedTime };
      const { route, ms, source } = answered;
      meter?.request(route ?? 'none', request.raw.method ?? '', reply.raw.statusCode, ms);
      if (source !== undefined) meter?.read(source);
      if (logger !== undefined) write(logger, answered, { request, reply });
    }
    done();
  });

  function write(log: FastifyBaseLogger, answered: Answered, exchange: Exchanged): void {
    // Requests to the live feed wait on purpose.
    const isSlow = answered.ms - (answered.waited?.changes ?? 0) >= slow;
    if (isSlow && logged !== 'none')
      log.warn({ ...lineOf(answered, exchange), waited: answered.waited ?? {} }, 'slow request');
    else if (answered.isTruncated && logged !== 'none') log.warn(lineOf(answered, exchange), 'truncated answer');
    else if (takesLines && (logged === 'all' || (logged === 'writes' && isWrite(answered, exchange)))) {
      log.info(lineOf(answered, exchange), 'request');
    }
  }
}

// Looks at the URL first: the framework rebuilds `routeOptions` at each access.
function isAboutHealth(request: FastifyRequest): boolean {
  return request.raw.url?.startsWith(HEALTH) === true && request.routeOptions.url?.startsWith(HEALTH) === true;
}

interface Exchanged {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

function isWrite({ position }: Answered, { request }: Exchanged): boolean {
  return position !== null || !READS.includes(request.raw.method ?? '');
}

// Without the query, which may contain the password of a post.
function lineOf(
  { route, ms, actor, position, bytes, address, isTruncated }: Answered,
  { request, reply }: Exchanged,
): object {
  const { raw } = reply;
  return {
    method: request.raw.method,
    path: request.originalUrl.split('?', 1)[0],
    route,
    status: raw.statusCode,
    ms: Math.round(ms * 10) / 10,
    bytes: bytes ?? (Number(reply.getHeader('content-length')) || undefined),
    truncated: isTruncated || undefined,
    user: actor,
    position: position ?? undefined,
    correlationId: request.id,
    address,
    aborted: raw.writableFinished ? undefined : true,
  };
}
