import type { IncomingMessage } from 'node:http';
import { after, listen } from '#process/guard.ts';

/** Why a body could not be read: it is longer than allowed, or the client disconnected. */
export type BodyFault = 'too large' | 'aborted';

/** A client that sends more than this many times the limit is disconnected. */
const MAX_OVERRUN = 8;
/** Milliseconds within which more of a discarded body must arrive. */
const IDLE = 5000;

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

export function isLonger({ headers }: IncomingMessage, limit: number): boolean {
  return Number(headers['content-length'] ?? 0) > limit;
}

/** Discards the rest of a body, so that the client reads the response. */
export function drainBody(request: IncomingMessage, limit: number): void {
  if (request.readableEnded || request.destroyed) return;
  let size = 0;
  const giveUp = () => request.destroy();
  let stopWaiting = after(IDLE, giveUp, giveUp);
  const skip = (chunk: Buffer) => {
    size += chunk.length;
    stopWaiting();
    if (size > limit * MAX_OVERRUN) giveUp();
    else stopWaiting = after(IDLE, giveUp, giveUp);
  };
  listen(request, 'error', () => undefined, giveUp);
  listen(request, 'data', skip, giveUp);
  listen(request, 'end', () => stopWaiting(), giveUp);
  listen(request, 'close', () => stopWaiting(), giveUp);
  request.resume();
}

/** Closes a connection on which a body stops arriving for `ms` milliseconds. */
export function giveUpWhenIdle(request: IncomingMessage, ms: number): void {
  const giveUp = () => request.destroy();
  request.setTimeout(ms);
  listen(request, 'timeout', giveUp, giveUp);
  listen(request, 'end', () => request.setTimeout(0), giveUp);
}
