import type { Socket } from 'node:net';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { anonymous } from '#domain/user/roles.ts';
import { STATUS_CODES } from '#process/node-http.ts';
import { problemText, statusOf } from '../engine/problem.ts';

const TOO_LARGE = refuse('rest_header_too_large', 'The request line and headers are too large.');
const TOO_SLOW = refuse('rest_request_timeout', 'The request took too long to arrive.');
const MALFORMED = refuse('rest_invalid_request', 'The request is not valid HTTP.');

const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: TOO_LARGE,
  ERR_HTTP_REQUEST_TIMEOUT: TOO_SLOW,
};

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
