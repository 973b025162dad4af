import { lookup } from 'node:dns/promises';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { detach, listen } from '#process/guard.ts';
import { Agent, request } from '#process/node-http.ts';
import { type Failure, unlessRequestAborted } from './fetch.ts';
import {
  type Connect,
  connectTo,
  findPlace,
  isPublicAddress,
  isWebPort,
  networkTest,
  type Resolve,
  readAnyPort,
  resolveName,
} from './place.ts';

/** Posts bodies to servers that users name. Like `Outgoing`, but addresses in configured networks are also allowed. */
export interface Poster {
  readonly mayReach: (address: string) => boolean;
  /** Never rejects. Redirects are not followed. */
  readonly post: (address: string, sent: SentMessage) => Promise<Posted | Failure>;
  readonly close: () => void;
}

export interface SentMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Aborts the request at any stage. */
  readonly signal: AbortSignal;
}

export interface Posted {
  readonly ok: true;
  readonly status: number;
  /** The `Retry-After` header in seconds; 0 if absent or in another format. */
  readonly retryAfter: number;
}

export interface PosterOptions {
  readonly networks?: readonly string[];
  readonly resolve?: Resolve;
  readonly connect?: Connect;
  /** Milliseconds for the whole request. Default 15,000. */
  readonly deadline?: number;
}

/** Maximum number of bytes read of a response. */
const maxBytes = 65_536;

class NotPublic extends Error {
  override readonly name = 'NotPublic';
}

class UnknownHost extends Error {
  override readonly name = 'UnknownHost';
}

export function createPoster({ networks = [], deadline = 15_000, ...options }: PosterOptions = {}): Poster {
  const isInside = networkTest(networks);
  const { resolve = networks.length === 0 ? resolveName : lookUp, connect = connectTo } = options;
  /** Checks the address for each new connection; requests on a kept connection go to the address checked then. */
  const open = async (url: URL) => {
    const known: Resolve = (host) => resolve(host).catch(() => Promise.reject(new UnknownHost(host)));
    const isAllowed = (address: string) => isInside(address) || (isWebPort(url) && isPublicAddress(address));
    const place = await findPlace(url, known, isAllowed);
    if (place === null) throw new NotPublic(url.host);
    return connect(place);
  };
  const agents = { 'http:': createAgent('http:', open), 'https:': createAgent('https:', open) };
  const mayReach = (address: string) => {
    const url = readAnyPort(address);
    const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
    if (url === null || isIP(host) === 0) return url !== null && (isWebPort(url) || networks.length > 0);
    return isInside(host) || (isWebPort(url) && isPublicAddress(host));
  };
  return {
    mayReach,
    async post(address, sent) {
      const url = readAnyPort(address);
      if (url === null) return { ok: false, why: 'not public' };
      const signal = AbortSignal.any([sent.signal, AbortSignal.timeout(deadline)]);
      const agent = agents[url.protocol as keyof typeof agents];
      try {
        // A request without a connection does not react to its signal yet.
        return await unlessRequestAborted(() => send({ url, agent, ...sent, signal }), signal);
      } catch (error) {
        return { ok: false, why: whyOf(error, signal) };
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
}

interface Sending extends SentMessage {
  readonly url: URL;
  readonly agent: InstanceType<typeof Agent>;
}

async function send(sending: Sending): Promise<Posted> {
  const asked = begin(sending);
  try {
    return await answerTo(asked);
  } catch (error) {
    // Retries once if the server closed a kept connection at this moment.
    if (!asked.reusedSocket || sending.signal.aborted) throw error;
    return await answerTo(begin(sending));
  }
}

function begin({ url, agent, headers, body, signal }: Sending): ClientRequest {
  const asked = request({
    method: 'POST',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port || (url.protocol === 'https:' ? 443 : 80),
    path: url.pathname + url.search,
    headers: {
      Host: url.host,
      'User-Agent': 'Palimpsest',
      'Content-Length': String(Buffer.byteLength(body)),
      ...headers,
    },
    agent,
    signal,
  });
  asked.end(body);
  return asked;
}

async function answerTo(asked: ClientRequest): Promise<Posted> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    listen(asked, 'response', resolve, reject);
    listen(asked, 'error', reject, reject);
  });
  let size = 0;
  // Read to the end, so that the connection can be reused.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) break;
  }
  const { statusCode: status = 0, headers } = response;
  const after = headers['retry-after'] ?? '';
  return { ok: true, status, retryAfter: /^\d{1,9}$/.test(after) ? Number(after) : 0 };
}

type Open = (url: URL) => Promise<ReturnType<Connect>>;

function createAgent(protocol: string, open: Open): InstanceType<typeof Agent> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 100, timeout: 60_000 });
  agent.createConnection = ({ host, port }, done = () => undefined) => {
    const name = host ?? '';
    const url = new URL(`${protocol}//${isIP(name) === 6 ? `[${name}]` : name}:${port}`);
    const fail = (error: unknown) => done(error as Error, undefined as never);
    detach(async () => done(null, await open(url)), fail);
    return undefined;
  };
  return agent;
}

const lookUp: Resolve = async (host) =>
  (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address);

function whyOf(error: unknown, signal: AbortSignal): Failure['why'] {
  if (error instanceof NotPublic) return 'not public';
  if (error instanceof UnknownHost) return 'unknown host';
  return signal.aborted ? 'too slow' : 'unreachable';
}
