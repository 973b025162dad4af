/**
 * The limit: a fastify server that only sends answers of the product from memory. A message names the
 * addresses to fetch from the product first.
 */
import type { IncomingHttpHeaders } from 'node:http';
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { askAll } from './servers/http.ts';

/** Addresses to fetch from the product's port and to serve from then on. */
export interface Capture {
  readonly productPort: number;
  readonly paths: readonly string[];
}

interface Kept {
  readonly body: Buffer;
  readonly type: string;
  readonly tag: string;
}

const kept = new Map<string, Kept>();
const items = new Map<string, Kept>();
const itemPath = /^\/cms-json\/cms\/v2\/posts\/(\d+)$/;
const app = fastify({ logger: false });

app.get<{ Params: { id: string } }>('/cms-json/cms/v2/posts/:id', (request, reply) =>
  send(request, reply, items.get(request.params.id)),
);
app.get('/cms-json/cms/v2/posts', (request, reply) => send(request, reply, kept.get(request.url)));
app.get('/', (_request, reply) => reply.send('up'));

process.on('message', async ({ productPort, paths }: Capture) => {
  let faults = 0;
  await askAll(productPort, paths, (path, { status, headers, body }) => {
    if (status !== 200) faults += 1;
    keep(path, body, headers as IncomingHttpHeaders);
  });
  process.send?.({ faults });
});
process.on('disconnect', () => process.exit());

await app.listen({ port: Number(process.env['PORT']), host: '127.0.0.1' });

function keep(path: string, body: Buffer, headers: IncomingHttpHeaders): void {
  const answer: Kept = { body, type: headers['content-type'] ?? 'application/json', tag: headers.etag ?? '' };
  const id = itemPath.exec(path)?.[1];
  if (id === undefined) kept.set(path, answer);
  else items.set(id, answer);
}

function send(request: FastifyRequest, reply: FastifyReply, answer: Kept | undefined): FastifyReply {
  if (answer === undefined) return reply.code(404).send();
  if (request.headers['if-none-match'] !== undefined) return reply.code(304).header('etag', answer.tag).send();
  return reply.header('content-type', answer.type).send(answer.body);
}
