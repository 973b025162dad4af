import { createHmac, timingSafeEqual } from 'node:crypto';
import { BlockList, isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { type PluginCall, type PluginReader, type Refusal, refuse } from 'palimpsest/plugin';
import { cacheSecret, cacheSettings } from './settings.ts';

type Call = PluginCall<PluginReader>;

/** Maximum seconds between a signature's time and now, in either direction. */
const skew = 300;
/** Maximum bytes of a body. */
const longest = 2 * 1024 * 1024;
const header = 'x-cache-signature';
const HEADER = /^t=(\d{1,12}),v1=([\da-f]{64})$/;
/** Maximum signatures that are remembered; only the owner of the secret can exceed it. */
const maxKept = 100_000;

const UNSIGNED = refuse('rest_forbidden', 'The callback is not signed as it has to be.', undefined, 401);
const FOREIGN = refuse('rest_forbidden', 'Callbacks are not taken from there.', undefined, 403);
const TOO_LARGE = refuse('rest_request_too_large', 'The request body is too large.', undefined, 413);

/** Checks a callback: `X-Cache-Signature: t=<unix seconds>,v1=<HMAC-SHA256 in hex>` over time, method, path and body. */
export function checkSignature(call: Call): Refusal | null {
  const { request, now } = call;
  const secret = call.secret(cacheSecret);
  if (secret === null) return UNSIGNED;
  if (!mayCome(call)) return FOREIGN;
  if (request.body.length > longest) return TOO_LARGE;
  const [, time = '', digest = ''] = HEADER.exec(request.header(header) ?? '') ?? [];
  if (digest === '') return UNSIGNED;
  // The query is not signed.
  if (Object.keys(request.query).length > 0) return UNSIGNED;
  if (Math.abs(Math.floor(now / 1000) - Number(time)) > skew) return UNSIGNED;
  const signed = createHmac('sha256', secret).update(`${time}.${request.method} ${request.path}\n`);
  if (!timingSafeEqual(signed.update(request.body).digest(), Buffer.from(digest, 'hex'))) return UNSIGNED;
  // One request may check its permission and run its command more than once.
  return (acceptedBy(call).get(digest) ?? request.identity) === request.identity ? null : UNSIGNED;
}

/** Records an accepted callback: any other request with the same signature is a replay from then on. */
export function acceptSignature(call: Call): void {
  acceptedBy(call).set(signatureIn(call), call.request.identity);
}

export function signatureIn({ request }: Call): string {
  return HEADER.exec(request.header(header) ?? '')?.[2] ?? '';
}

/** The requests with the signatures that this server has accepted. */
function acceptedBy({ memory, now }: Call): LRUCache<string, object> {
  const { clock, accepted } = memory(newMemory);
  clock.now = now;
  return accepted;
}

function newMemory() {
  const clock = { now: 0 };
  const accepted = new LRUCache<string, object>({
    // By size: with `max` the cache would reserve memory for all of them.
    maxSize: maxKept,
    sizeCalculation: () => 1,
    ttl: 2 * skew * 1000,
    ttlResolution: 0,
    perf: { now: () => clock.now },
  });
  return { clock, accepted };
}

/** The refusal of a callback that is in the log: this or another process has accepted it before. */
export const replayed = UNSIGNED;

function mayCome({ settings, request }: Call): boolean {
  const { callbackRanges } = settings(cacheSettings);
  if (callbackRanges.length === 0) return true;
  const list = new BlockList();
  for (const range of callbackRanges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), isIPv6(network) ? 'ipv6' : 'ipv4');
  }
  const plain = request.peer.replace(/^::ffff:(?=\d+\.)/i, '');
  return plain !== '' && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}
