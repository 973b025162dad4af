import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { laterBody, laterHeaders, needsStream } from '../message/event-stream.ts';
import type { Health } from './health.ts';
import { CORRELATION, correlationOf } from './journal.ts';

/** Listens from the first moment of a start: serves health checks and tells all other clients to wait. */
export interface StartingServer {
  /** Hands the port over to an app, which must listen next; no connection is refused in between. */
  handOver(app: Pick<FastifyInstance, 'server'>): void;
  close(): void;
}

export interface StartingOptions {
  readonly host: string;
  readonly port: number;
  /** Whether other threads listen on the same port. */
  readonly isShared: boolean;
  /** File descriptor of a socket that is already listening; null: none. */
  readonly socket: number | null;
  readonly health: Pick<Health, 'reasons'>;
  readonly newId: () => string;
}

/** Seconds after which a client should retry. */
const retryAfter = '5';
const body = JSON.stringify({
  code: 'rest_starting',
  message: 'The site is starting. Please try again later.',
  data: { status: 503 },
});

export async function listenWhileStarting({
  host,
  port,
  isShared,
  socket,
  health,
  newId,
}: StartingOptions): Promise<StartingServer> {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    response.setHeader(CORRELATION, correlationOf(request.headers, newId));
    if (path === '/health/live') answer(response, 200, JSON.stringify({ status: 'live' }));
    else if (path === '/health/ready')
      answer(response, 503, JSON.stringify({ status: 'not ready', position: 0, reasons: health.reasons() }));
    else if (needsStream(request)) response.writeHead(200, laterHeaders).end(laterBody);
    else answer(response, 503, body);
  });
  server.listen(socket === null ? { host, port, ...(isShared && { reusePort: true }) } : { fd: socket });
  await once(server, 'listening');
  return {
    handOver: (app) => takeOver(app.server, server),
    close: () => server.close(),
  };
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'application/json; charset=UTF-8',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    // The next request then reaches the server that replaces this one.
    connection: 'close',
    ...(status === 503 ? { 'retry-after': retryAfter } : {}),
  });
  response.end(text);
}

function takeOver(server: Server, listening: Server): void {
  const listen = server.listen.bind(server);
  server.listen = () => listen(listening);
}
