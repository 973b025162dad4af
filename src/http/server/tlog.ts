import type { FastifyInstance } from 'fastify';
import { type PublicLog, parseTilePath } from '#transparency/tiles.ts';
import { type RouteAnswer, route, takeOver } from './exchange.ts';
import type { Server } from './serve.ts';

interface PublicLogOptions {
  readonly log: PublicLog;
  /** Path below which it is served, without a slash at its end. */
  readonly path: string;
  readonly notFound: RouteAnswer;
  readonly server: Pick<Server, 'fail'>;
}

interface Resource {
  readonly type: string;
  readonly caching: string;
  readonly body: string | Uint8Array;
}

const TEXT = 'text/plain; charset=utf-8';
/** Tiles never change; a partial one is another address than the full one. */
const FOREVER = 'public, max-age=31536000, immutable';
const BRIEFLY = 'public, max-age=5';

/** Serves the transparency log to everybody (C2SP tlog-tiles). */
export function addPublicLog(app: FastifyInstance, { log, path, notFound, server }: PublicLogOptions): void {
  const answer: RouteAnswer = (request, reply) => {
    const started = performance.now();
    const [target = ''] = (request.raw.url ?? '').split('?');
    let found: Resource | null;
    try {
      found = resourceAt(target.slice(path.length + 1), log);
    } catch (error) {
      server.fail(takeOver(request, reply), error);
      return reply;
    }
    if (found === null) return notFound(request, reply);
    request.answered = { route: 'tlog', actor: 0, position: null, ms: performance.now() - started };
    reply.headers({
      'Cache-Control': found.caching,
      'X-Content-Type-Options': 'nosniff',
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    return reply.code(200).type(found.type).send(found.body);
  };
  app.route(route(['GET', 'HEAD'], `${path}/*`, answer));
}

function resourceAt(name: string, log: PublicLog): Resource | null {
  if (name === 'checkpoint') return text(log.checkpoint());
  if (name === 'log.vkey') return text(log.verifier());
  const place = name.startsWith('tile/') ? parseTilePath(name.slice('tile/'.length)) : null;
  const bytes = place && log.tile(place);
  return bytes && { type: 'application/octet-stream', caching: FOREVER, body: bytes };
}

function text(found: string | null): Resource | null {
  return found === null ? null : { type: TEXT, caching: BRIEFLY, body: found };
}
