import type { Readable } from 'node:stream';
import type { Refusal } from '#domain/kernel/refusal.ts';
import { NO_ROOM, TOO_LARGE } from './limits.ts';

export interface UnreadBody {
  readonly bytes: Readable;
  /** Most bytes of what has to be held in memory: everything but files. */
  readonly limit: number;
  /** Makes room for bytes that are held; false when there is none. */
  readonly hold?: (bytes: number) => boolean;
}

/** Chunks as they arrive. To stop reading does not end the connection, so that there can still be an answer. */
export function chunksOf({ bytes }: UnreadBody): AsyncIterable<Buffer> {
  return bytes.iterator({ destroyOnReturn: false });
}

export async function readWhole(body: UnreadBody): Promise<Buffer | Refusal> {
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

/** Lets up to `most` bytes go by; false when there are more. */
export async function letGoBy(chunks: AsyncIterable<Buffer>, most: number): Promise<boolean> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > most) return false;
  }
  return true;
}
