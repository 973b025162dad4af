import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

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
