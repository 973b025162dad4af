import type { IncomingMessage } from 'node:http';
import { listen, onAbort } from '#process/guard.ts';
import { request } from '#process/node-http.ts';
import {
  type Connect,
  connectTo,
  findPlace,
  type OutgoingPlace,
  type Resolve,
  readTarget,
  resolveName,
} from './place.ts';

/**
 * Requests to servers that users name. They only reach public addresses, even with redirects and with host names whose address changes in
 * between (DNS rebinding).
 */
export interface Outgoing {
  readonly get: (address: string, wanted: WantedRequest) => Promise<Fetched | Failure>;
}

export interface Fetched {
  readonly ok: true;
  readonly url: URL;
  readonly status: number;
  /** The `Content-Type` header. */
  readonly type: string;
  readonly body: Buffer;
}

export interface Failure {
  readonly ok: false;
  readonly why:
    | 'not public'
    | 'unknown host'
    | 'unreachable'
    | 'too slow'
    | 'too large'
    | 'too many redirects'
    | 'busy';
}

export interface OutgoingOptions {
  readonly resolve?: Resolve;
  readonly connect?: Connect;
  /** Milliseconds for the whole request. Default 5000. */
  readonly deadline?: number;
  /** Default 3. */
  readonly maxRedirects?: number;
  /** Maximum number of concurrent requests; further ones are refused. Default 8. */
  readonly atOnce?: number;
}

interface WantedRequest {
  /** The `Accept` header. */
  readonly accept: string;
  /** Maximum size of a body in bytes. A longer one is a failure, or is truncated with `cut`. */
  readonly maxBytes: number;
  readonly cut?: true;
}

interface Received {
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

export function createOutgoing(options: OutgoingOptions = {}): Outgoing {
  const { resolve = resolveName, connect = connectTo, deadline = 5000, maxRedirects = 3, atOnce = 8 } = options;
  let underWay = 0;
  return {
    get: async (address, wanted) => {
      if (underWay >= atOnce) return failed('busy');
      underWay += 1;
      try {
        const signal = AbortSignal.timeout(deadline);
        return await follow(address, { resolve, connect, wanted, signal, maxRedirects });
      } finally {
        underWay -= 1;
      }
    },
  };
}

interface RequestContext {
  readonly resolve: Resolve;
  readonly connect: Connect;
  readonly wanted: WantedRequest;
  readonly signal: AbortSignal;
  readonly maxRedirects: number;
}

async function follow(address: string, context: RequestContext): Promise<Fetched | Failure> {
  let url = readTarget(address);
  for (let hop = 0; hop <= context.maxRedirects; hop++) {
    if (url === null) return failed('not public');
    const received = await step(url, context);
    if ('why' in received) return received;
    const { status, type, location, body } = received;
    if (location === null) return body === null ? failed('too large') : { ok: true, url, status, type, body };
    url = readTarget(location, url);
  }
  return failed('too many redirects');
}

async function step(url: URL, { resolve, connect, wanted, signal }: RequestContext): Promise<Received | Failure> {
  const place = await attempt<OutgoingPlace | null>(() => findPlace(url, resolve), signal);
  if (place === null) return failed('not public');
  if ('why' in place) return place.why === 'unreachable' ? failed('unknown host') : place;
  return attempt(() => ask({ url, place, connect, wanted, signal }), signal);
}

/** Any network error means that there is no answer. */
async function attempt<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | Failure> {
  try {
    return await unlessRequestAborted(work, signal);
  } catch {
    return failed(signal.aborted ? 'too slow' : 'unreachable');
  }
}

function failed(why: Failure['why']): Failure {
  return { ok: false, why };
}

/** Sends one request to one server, on a separate connection. Rejects if there is no connection or no response. */
async function ask({ url, place, connect, wanted, signal }: OutgoingExchange): Promise<Received> {
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

/** Returns the result of work, or rejects as soon as the signal is aborted. Work that cannot be stopped is abandoned. */
export async function unlessRequestAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const stopped = Promise.withResolvers<never>();
  const stopWatching = onAbort(signal, () => stopped.reject(signal.reason), stopped.reject);
  try {
    return await Promise.race([work(), stopped.promise]);
  } finally {
    stopWatching();
  }
}
