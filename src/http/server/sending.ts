import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { listenAlike } from '#process/guard.ts';

/** Bytes from which an answer counts as long. */
const LONG = 1 << 20;

/** Bounds the bytes of long answers in memory that clients have yet to read. */
export class SendBuffer {
  readonly #limit: number;
  /** An answer that several clients receive is in memory once. */
  readonly #open = new Map<Buffer, number>();
  readonly #bodies = new Map<ServerResponse, Buffer>();
  readonly #untilClosed = listenAlike<ServerResponse>(
    'close',
    (response) => this.#close(response),
    () => undefined,
  );
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Reserves room for a body until its response is closed. False if there is none; a single body always has room. The answer to a
   * write must be sent, so it takes its room regardless.
   */
  take(body: Buffer, response: ServerResponse, { isWrite }: { readonly isWrite: boolean }): boolean {
    // A response that has been closed does not say so again.
    if (body.length < LONG || response.destroyed) return true;
    const users = this.#open.get(body) ?? 0;
    if (!isWrite && users === 0 && this.#size > 0 && this.#size + body.length > this.#limit) return false;
    if (users === 0) this.#size += body.length;
    this.#open.set(body, users + 1);
    this.#bodies.set(response, body);
    this.#untilClosed(response);
    return true;
  }

  #close(response: ServerResponse): void {
    const body = this.#bodies.get(response);
    if (body === undefined) return;
    this.#bodies.delete(response);
    const users = (this.#open.get(body) ?? 1) - 1;
    if (users > 0) this.#open.set(body, users);
    else {
      this.#open.delete(body);
      this.#size -= body.length;
    }
  }
}

/**
 * Sends pieces as fast as the client reads: the next one is made only when there is room for it. Ends with the pieces or with the
 * signal; a client that is not reading at that moment is disconnected. Rethrows errors of `pieces`.
 */
export async function pump(response: ServerResponse, pieces: AsyncIterable<string>, until: AbortSignal): Promise<void> {
  // Tells the client at once that it is connected, rather than with the first piece.
  response.flushHeaders();
  try {
    for await (const piece of pieces) {
      if (until.aborted) break;
      if (!response.write(piece)) await once(response, 'drain', { signal: until });
    }
  } catch (error) {
    response.destroy();
    if (!until.aborted) throw error;
    return;
  }
  response.end();
}
