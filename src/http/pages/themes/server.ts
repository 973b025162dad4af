import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { namesTag } from '../../engine/etag.ts';
import { route } from '../../server/exchange.ts';
import { fontRoot, type ThemeFonts } from './fonts.ts';

/** Serves the fonts of themes; adds a route for each file only, so that no other path is taken from pages. */
export function addFonts(app: FastifyInstance, { fonts }: ThemeFonts): void {
  const files = new Map([...fonts.values()].flat().map(({ name, bytes }) => [name, bytes]));
  const answer = (name: string) => (request: FastifyRequest, reply: FastifyReply) => {
    const started = performance.now();
    const tag = `"${name}"`;
    reply.headers({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      ETag: tag,
    });
    const known = request.headers['if-none-match'];
    if (known !== undefined && namesTag(known, tag)) reply.code(304).send();
    else reply.code(200).type('font/woff2').send(files.get(name));
    request.answered = { route: 'font', actor: 0, position: null, ms: performance.now() - started };
    return reply;
  };
  for (const name of files.keys()) app.route(route(['GET', 'HEAD'], `${fontRoot}${name}`, answer(name)));
}
