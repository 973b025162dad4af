import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { anonymous } from '#domain/user/roles.ts';
import { after, listenAlike } from '#process/guard.ts';
import { STATUS_CODES } from '#process/node-http.ts';
import { laterBody, laterHeaders, needsStream } from '../message/event-stream.ts';
import { problemText, statusOf } from '../message/problem.ts';

export interface Connections {
  readonly note: (request: IncomingMessage, response: ServerResponse) => void;
  readonly close: () => void;
  /** Resolves after a turn of the event loop without a new request: everything that had arrived is then known. Gives up after a while. */
  readonly quiet: () => Promise<void>;
  readonly end: () => void;
}

/** Milliseconds that clients have to read the last response. */
const moment = 500;
const STOPPING = refuse('rest_server_stopping', 'The server stops before the request has arrived whole.');
const UNKNOWN = refuse(
  'rest_outcome_unknown',
  'The server stops before it is known whether the change was stored. Please look, or send it again with its Idempotency-Key.',
);

const TOO_LARGE = refuse('rest_header_too_large', 'The request line and headers are too large.');
const TOO_SLOW = refuse('rest_request_timeout', 'The request took too long to arrive.');
const MALFORMED = refuse('rest_invalid_request', 'The request is not valid HTTP.');

const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
};

/** Clients that never pause do not keep a server from stopping. */
const mostRounds = 50;

export function createConnections(): Connections {
  const open = new Map<ServerResponse, IncomingMessage>();
  const untilClosed = listenAlike<ServerResponse>(
    'close',
    (response) => void open.delete(response),
    () => undefined,
  );
  let closing = false;
  let seen = 0;
  return {
    note(request, response) {
      seen += 1;
      open.set(response, request);
      untilClosed(response);
      if (closing) response.shouldKeepAlive = false;
    },
    close() {
      closing = true;
      for (const response of open.keys()) if (!response.headersSent) response.shouldKeepAlive = false;
    },
    async quiet() {
      let before = -1;
      for (let round = 0; before !== seen && round < mostRounds; round++) {
        before = seen;
        // Connections are accepted in one turn and read in the next.
        for (let i = 0; i < 3; i++) await turn();
      }
    },
    end() {
      for (const [response, request] of open) if (!response.headersSent) refuseRequest(response, request);
      const cutOff = () => {
        for (const request of open.values()) request.socket.destroy();
      };
      after(moment, cutOff, () => undefined);
    },
  };
}

function refuseRequest(response: ServerResponse, request: IncomingMessage): void {
  if (needsStream(request)) {
    response.writeHead(200, laterHeaders).end(laterBody);
    return;
  }
  const refusal: Refusal = request.complete ? UNKNOWN : STOPPING;
  const status = statusOf(refusal, anonymous);
  const body = problemText(refusal, status);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=UTF-8',
    'Content-Length': Buffer.byteLength(body),
    'Retry-After': '1',
    Connection: 'close',
  });
  response.end(body);
  request.resume();
}

/** Responds to malformed or oversized HTTP with an error of the usual shape, and closes the connection. */
export function closeOnClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const refusal = REFUSALS[error.code ?? ''] ?? MALFORMED;
  const status = statusOf(refusal, anonymous);
  const body = problemText(refusal, status);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`];
  head.push('Content-Type: application/json; charset=UTF-8', `Content-Length: ${body.length}`, 'Connection: close');
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
