import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { parseQuery } from '#text/query-string.ts';
import { namesTag } from '../engine/etag.ts';
import { route } from '../server/exchange.ts';
import { identicon } from './identicon.ts';

/** Version of the drawing; raise it when pictures change. */
const VERSION = 1;
const LARGEST = 2048;
const USUAL = 80;
const MEBIBYTE = 1024 * 1024;
/** No response may run scripts. */
const INERT = "default-src 'none'; sandbox";

/** Serves the pictures of people. There is one for every digest, so that a picture does not reveal whether somebody has an account. */
export function addAvatars(app: FastifyInstance): void {
  const drawn = new LRUCache<string, Buffer>({ maxSize: MEBIBYTE, sizeCalculation: ({ length }) => length });
  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const started = performance.now();
    const { url = '', headers } = request.raw;
    const [path = '', query = ''] = url.split(/\?(.*)/s);
    const digest = (path.split('/')[2] ?? '').toLowerCase();
    const side = sideIn(query);
    const tag = `"avatar-${VERSION}-${digest}-${side}"`;
    reply.headers({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Content-Security-Policy': INERT,
      ETag: tag,
    });
    const known = headers['if-none-match'];
    const isKnown = known !== undefined && namesTag(known, tag);
    if (isKnown) reply.code(304).send();
    else {
      const key = `${digest} ${side}`;
      const bytes = drawn.get(key) ?? identicon(digest, side);
      drawn.set(key, bytes);
      reply.code(200).type('image/png').send(bytes);
    }
    request.answered = { route: 'avatar', actor: 0, position: null, ms: performance.now() - started };
    return reply;
  };
  app.route(route(['GET', 'HEAD'], '/avatar/:digest(^(?:[\\da-fA-F]{32}|[\\da-fA-F]{64})$)', answer));
}

/** Pixels per side: `s` or `size`. `d`, the default picture, is never needed. */
function sideIn(query: string): number {
  const { s, size } = parseQuery(query);
  const sent = s ?? size;
  return typeof sent === 'string' && /^\d{1,9}$/.test(sent) && Number(sent) > 0
    ? Math.min(Number(sent), LARGEST)
    : USUAL;
}
