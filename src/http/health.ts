import type { FastifyInstance, FastifyReply } from 'fastify';
import type { CrawlerState } from './crawler.ts';

/** Why no request should be sent to a node now: a code that stays the same, and words. */
export interface Reason {
  readonly code: string;
  readonly message: string;
}

export interface Health {
  readonly position: () => number;
  /** Why no request should be sent here now; empty when there is no reason. */
  readonly reasons: () => readonly Reason[];
  readonly warnings?: () => readonly Reason[];
  readonly crawlers?: () => readonly CrawlerState[];
}

/**
 * Adds `/health/live` (the process answers) and `/health/ready` (it answers from all of the log and takes writes, or 503
 * and why not). Nothing of the site is told there.
 */
export function addHealth(app: FastifyInstance, { position, reasons, warnings = () => [], crawlers }: Health): void {
  app.get('/health/live', (_, reply) => tell(reply, 200, { status: 'live' }));
  app.get('/health/ready', (_, reply) => {
    const found = reasons();
    const told = warnings().length === 0 ? {} : { warnings: warnings() };
    if (found.length === 0)
      return tell(reply, 200, {
        status: 'ready',
        position: position(),
        ...told,
        ...(crawlers && { crawlers: crawlers() }),
      });
    const body = { status: 'not ready', position: position(), reasons: found, ...told };
    return tell(reply.header('retry-after', '1'), 503, body);
  });
}

function tell(reply: FastifyReply, status: number, body: object): FastifyReply {
  return reply.code(status).header('cache-control', 'no-store').send(body);
}
