import type { Readable } from 'node:stream';
import type { Refusal } from '#domain/kernel/refusal.ts';
import { NO_ROOM, TOO_LARGE } from './limits.ts';

export interface UnreadBody {
  readonly bytes: Readable;
  /** Maximum bytes that are held in memory: everything but files. */
  readonly limit: number;
  /** Reserves memory for bytes; false if there is none left. */
  readonly hold?: (bytes: number) => boolean;
}

/** Chunks as they arrive. Ending the iteration keeps the connection open, so that a response can still be sent. */
export function chunksOf({ bytes }: UnreadBody): AsyncIterable<Buffer> {
  return bytes.iterator({ destroyOnReturn: false });
}

export async function readRest(body: UnreadBody): Promise<Buffer | Refusal> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunksOf(body)) {
    size += chunk.length;
    if (size > body.limit) return TOO_LARGE;
    if (body.hold?.(chunk.length) === false) return NO_ROOM;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Discards up to `most` bytes; false if there are more. */
export async function discard(chunks: AsyncIterable<Buffer>, max: number): Promise<boolean> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > max) return false;
  }
  return true;
}
