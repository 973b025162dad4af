import type { IncomingMessage } from 'node:http';
import { listen } from '#process/guard.ts';
import { request } from '#process/node-http.ts';
import type { Connect, OutgoingPlace } from './place.ts';

export interface WantedRequest {
  /** The `Accept` header. */
  readonly accept: string;
  /** Maximum size of a body in bytes. A longer one is a failure, or is truncated with `cut`. */
  readonly maxBytes: number;
  readonly cut?: true;
}

export interface Received {
  readonly status: number;
  /** The `Content-Type` header. */
  readonly type: string;
  /** Target of a redirect, as received; null if there is none. */
  readonly location: string | null;
  /** Null: longer than allowed. */
  readonly body: Buffer | null;
}

export interface OutgoingExchange {
  readonly url: URL;
  readonly place: OutgoingPlace;
  readonly connect: Connect;
  readonly wanted: WantedRequest;
  /** Aborts the request at any stage. */
  readonly signal: AbortSignal;
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];

/** Sends one request to one server, on a separate connection. Rejects if there is no connection or no response. */
export async function ask({ url, place, connect, wanted, signal }: OutgoingExchange): Promise<Received> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request({
      method: 'GET',
      path: url.pathname + url.search,
      // Compressed bodies would need a second limit.
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

async function readBody(response: IncomingMessage, { maxBytes, cut }: WantedRequest): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    chunks.push(chunk);
    if (size > maxBytes) return cut ? Buffer.concat(chunks).subarray(0, maxBytes) : null;
  }
  return Buffer.concat(chunks);
}
