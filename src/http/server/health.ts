import type { FastifyInstance, FastifyReply, RouteHandlerMethod } from 'fastify';
import type { CrawlerState } from '#plugin/server.ts';

/** Why a node should not receive requests now: a stable code, and a message. */
export interface HealthReason {
  readonly code: string;
  readonly message: string;
}

export interface Health {
  readonly position: () => number;
  /** Why this node should not receive requests now; empty if it should. */
  readonly reasons: () => readonly HealthReason[];
  readonly warnings?: () => readonly HealthReason[];
  readonly crawlers?: () => readonly CrawlerState[];
}

/**
 * Adds `/health/live` (the process responds) and `/health/ready` (the read model has all of the log and writes are accepted, or 503
 * with the reasons). Neither reveals anything about the site.
 */
export function addHealth(app: FastifyInstance, { position, reasons, warnings = () => [], crawlers }: Health): void {
  const probe = (url: string, handler: RouteHandlerMethod) => app.route({ method: ['GET', 'HEAD'], url, handler });
  probe('/health/live', (_, reply) => respond(reply, 200, { status: 'live' }));
  probe('/health/ready', (_, reply) => {
    const found = reasons();
    const warned = warnings().length === 0 ? {} : { warnings: warnings() };
    if (found.length === 0)
      return respond(reply, 200, {
        status: 'ready',
        position: position(),
        ...warned,
        ...(crawlers && { crawlers: crawlers() }),
      });
    const body = { status: 'not ready', position: position(), reasons: found, ...warned };
    return respond(reply.header('retry-after', '1'), 503, body);
  });
}

function respond(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').send(body);
}
