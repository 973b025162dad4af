import type { IncomingMessage } from 'node:http';
import { listen } from '#process/guard.ts';
import { request } from '#process/node-http.ts';
import type { Connect, Place } from './place.ts';

export interface Wanted {
  /** The `Accept` header. */
  readonly accept: string;
  /** Most bytes of a body; what is longer is a failure. */
  readonly maxBytes: number;
  readonly cut?: true;
}

export interface Received {
  readonly status: number;
  /** The `Content-Type` header. */
  readonly type: string;
  /** Where the answer sends on to, as the other side wrote it; null when it does not. */
  readonly location: string | null;
  /** Null: longer than wanted. */
  readonly body: Buffer | null;
}

export interface Exchange {
  readonly url: URL;
  readonly place: Place;
  readonly connect: Connect;
  readonly wanted: Wanted;
  /** Ends it, wherever it is. */
  readonly signal: AbortSignal;
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** Asks one server once, on a connection of its own. Rejects when there is no connection or no answer. */
export async function ask({ url, place, connect, wanted, signal }: Exchange): Promise<Received> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request({
      method: 'GET',
      path: url.pathname + url.search,
      // Compressed bodies would have to be measured twice.
      headers: { Host: url.host, Accept: wanted.accept, 'Accept-Encoding': 'identity', 'User-Agent': 'Palimpsest' },
      createConnection: () => connect(place),
      signal,
    });
    listen(asked, 'response', resolve, reject);
    listen(asked, 'error', reject, reject);
    asked.end();
  });
  const { statusCode: status = 0, headers } = response;
  const type = headers['content-type'] ?? '';
  const location = REDIRECTS.includes(status) ? (headers.location ?? null) : null;
  if (location === null) return { status, type, location, body: await readBody(response, wanted) };
  response.destroy();
  return { status, type, location, body: null };
}

async function readBody(response: IncomingMessage, { maxBytes, cut }: Wanted): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    chunks.push(chunk);
    if (size > maxBytes) return cut ? Buffer.concat(chunks).subarray(0, maxBytes) : null;
  }
  return Buffer.concat(chunks);
}
