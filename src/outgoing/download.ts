import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen } from '#process/guard.ts';
import { request } from '#process/node-http.ts';
import { connectTo, findPlace, isPublicAddress, type OutgoingPlace, readTarget, resolveName } from './place.ts';

export interface DownloadOptions {
  /** Hosts with their ports that are reached whatever their address is, because the operator named them. */
  readonly trusted: ReadonlySet<string>;
  /** What is said to one scheme and host alone; null: nothing. */
  readonly authorization: { readonly origin: string; readonly value: string } | null;
  readonly signal: AbortSignal;
}

/** A file could not be fetched. */
export class DownloadFailed extends Error {
  override readonly name = 'DownloadFailed';
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const mostRedirects = 5;
const attempts = 4;
/** Milliseconds without a byte after which a server counts as gone. */
const patience = 60_000;

/**
 * Fetches a file, however large: its bytes as they arrive. Only public addresses are reached, and hosts that the operator named, even with
 * redirects. Asks again, later, when a server says that it is busy. Throws `DownloadFailed`.
 */
export async function download(address: string, options: DownloadOptions): Promise<AsyncIterable<Buffer>> {
  for (let attempt = 1; ; attempt++) {
    const response = await followed(address, options);
    const { statusCode: status = 0, headers } = response;
    if (status === 200) return response as AsyncIterable<Buffer>;
    response.destroy();
    const isBusy = status === 429 || status >= 500;
    if (!isBusy || attempt === attempts) throw new DownloadFailed(`${address} answered ${status}`);
    const seconds = Number(headers['retry-after']) || 2 ** attempt / 2;
    await sleep(Math.min(seconds, 120) * 1000, undefined, { signal: options.signal });
  }
}

async function followed(address: string, options: DownloadOptions): Promise<IncomingMessage> {
  let url = targetOf(address, options);
  for (let hop = 0; hop <= mostRedirects; hop++) {
    if (url === null) throw new DownloadFailed(`${address} leads to an address that is not public`);
    const response = await ask(url, options);
    const { statusCode = 0, headers } = response;
    if (!REDIRECTS.includes(statusCode) || headers.location === undefined) return response;
    response.destroy();
    url = targetOf(URL.parse(headers.location, url.href)?.href ?? '', options);
  }
  throw new DownloadFailed(`${address} leads on and on`);
}

function targetOf(address: string, { trusted }: DownloadOptions): URL | null {
  const url = URL.parse(address);
  return url !== null && trusted.has(url.host) && /^https?:$/.test(url.protocol) ? url : readTarget(address);
}

async function ask(url: URL, { trusted, authorization, signal }: DownloadOptions): Promise<IncomingMessage> {
  const isTrusted = trusted.has(url.host);
  const place = isTrusted ? trustedPlace(url) : await placeOf(url);
  const headers = {
    ...{ Host: url.host, Accept: '*/*', 'Accept-Encoding': 'identity', 'User-Agent': 'Palimpsest' },
    ...(url.origin === authorization?.origin ? { Authorization: authorization.value } : {}),
  };
  return new Promise<IncomingMessage>((resolve, reject) => {
    const failed = (error: unknown) =>
      reject(signal.aborted ? signal.reason : new DownloadFailed(`${url.href}: ${(error as Error).message}`));
    const asked = request({
      createConnection: () => connectTo(place),
      method: 'GET',
      path: url.pathname + url.search,
      headers,
      timeout: patience,
      signal,
    });
    listen(asked, 'response', resolve, failed);
    listen(asked, 'error', failed, failed);
    listen(asked, 'timeout', () => asked.destroy(new Error('it does not answer')), failed);
    asked.end();
  });
}

function trustedPlace({ protocol, hostname, port }: URL): OutgoingPlace {
  const secure = protocol === 'https:';
  const host = hostname.replace(/^\[|\]$/g, '');
  return { address: host, port: Number(port) || (secure ? 443 : 80), host, secure };
}

async function placeOf(url: URL): Promise<OutgoingPlace> {
  const place = await findPlace(url, resolveName, isPublicAddress).catch(() => undefined);
  if (place === undefined) throw new DownloadFailed(`${url.host} has no address`);
  if (place === null) throw new DownloadFailed(`${url.host} is not public: name it with --host if it is yours`);
  return place;
}
