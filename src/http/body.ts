import type { IncomingMessage } from 'node:http';
import { listen } from '#process/guard.ts';

/** Why a body could not be read: it is longer than allowed, or the client went away. */
export type BodyFault = 'too large' | 'aborted';

/** Whether a request has a body at all. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

/** Lets what is left of a body go by, so that the client hears the answer. */
export function leaveBody(request: IncomingMessage, limit: number): void {
  if (request.readableEnded || request.destroyed) return;
  let size = 0;
  const giveUp = () => request.destroy();
  const skip = (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit * PATIENCE) giveUp();
  };
  listen(request, 'error', () => undefined, giveUp);
  listen(request, 'data', skip, giveUp);
  request.resume();
}

/** A client that sends so many times the limit all the same is cut off. */
const PATIENCE = 8;

/** Reads a body of at most `limit` bytes. What is beyond them goes by unread, so that the client hears the answer. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer | BodyFault> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const tooLarge = () => {
      chunks.length = 0;
      resolve('too large');
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else tooLarge();
      if (size > limit * PATIENCE) request.destroy();
    };
    listen(request, 'data', take, reject);
    listen(request, 'end', () => resolve(Buffer.concat(chunks)), reject);
    listen(request, 'error', () => resolve('aborted'), reject);
    listen(request, 'close', () => resolve('aborted'), reject);
    if (Number(request.headers['content-length'] ?? 0) > limit) tooLarge();
  });
}
