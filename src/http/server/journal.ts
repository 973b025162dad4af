import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Readings } from '#domain/user/logins.ts';
import { parseQuery } from '#text/query-string.ts';
import type { Answered } from './exchange.ts';
import type { RequestMeter } from './tracing.ts';

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

/** Header with the id under which a request and its response are logged. */
export const CORRELATION = 'X-Correlation-Id';

const GIVEN = /^[\x21-\x7e]{1,128}$/;
/** The format of W3C Trace Context: version, trace, parent, flags. */
const TRACE = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}(?:-|$)/;

/** Writes one log line per request, except for health checks, and reports each to the meter. */
export function addJournal(app: FastifyInstance, { logger, meter, logged, slow }: RequestLogOptions): void {
  app.decorateRequest('answered', null);
  if (logger === undefined && meter === undefined) return;
  const takesLines = logger !== undefined && ['trace', 'debug', 'info'].includes(logger.level);
  app.addHook('onResponse', (request, reply, done) => {
    if (!isAboutHealth(request)) {
      const answered = request.answered ?? { ...NOWHERE, ms: reply.elapsedTime };
      if (answered.isElsewhere) return done();
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

/** Notes what auditors have read. */
export function addReadings(app: FastifyInstance, readings: Pick<Readings, 'note'>): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { answered, raw, originalUrl } = request;
    // A read may be sent as any method, and its path as a parameter. Writes of auditors are refused.
    if (answered?.isAuditor === true && raw.method !== 'OPTIONS' && reply.raw.statusCode < 400) {
      const { actor: user, route } = answered;
      const [path = '', query = ''] = originalUrl.split(/\?(.*)/s);
      const named = query.includes('rest_route=') ? parseQuery(query)['rest_route'] : undefined;
      readings.note({ user, route: route ?? 'none', item: typeof named === 'string' ? named : path });
    }
    done();
  });
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

/** The id of a request in the logs, in its response and in its commit (interface behaviour, section 4). */
export function correlationOf(headers: IncomingHttpHeaders, newId: () => string): string {
  const given = headers['x-correlation-id'];
  if (typeof given === 'string' && GIVEN.test(given)) return given;
  const { traceparent } = headers;
  return (typeof traceparent === 'string' ? TRACE.exec(traceparent)?.[1] : undefined) ?? newId();
}
