import { createHmac, timingSafeEqual } from 'node:crypto';
import { BlockList, isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Call, Sent } from '../../../engine/types.ts';
import type { PluginParts } from '../kit/namespace.ts';

export interface Guard {
  readonly check: (call: Call<Model>) => Refusal | null;
  readonly digestOf: (call: Call<Model>) => string;
  /** Records an accepted callback: any other request with the same signature is a replay from then on. */
  readonly accept: (call: Call<Model>) => void;
}

/** Maximum seconds between a signature's time and now, in either direction. */
const skew = 300;
/** Maximum bytes of a body. */
const longest = 2 * 1024 * 1024;
const header = 'x-cache-signature';
const HEADER = /^t=(\d{1,12}),v1=([\da-f]{64})$/;
/** Maximum signatures that are remembered; only the owner of the secret can exceed it. */
const maxKept = 100_000;

const UNSIGNED: Refusal = {
  ...refuse('rest_forbidden', 'The callback is not signed as it has to be.'),
  about: 'signature',
};
const FOREIGN: Refusal = { ...refuse('rest_forbidden', 'Callbacks are not taken from there.'), about: 'peer' };
const TOO_LARGE = refuse('rest_request_too_large', 'The request body is too large.');

/** Guards callbacks: `X-Cache-Signature: t=<unix seconds>,v1=<HMAC-SHA256 in hex>` over time, method, path and body. */
export function createGuard({ settings, clock }: Pick<PluginParts, 'settings' | 'clock'>): Guard {
  const { cacheSecret, callbackRanges } = settings;
  const accepted = new LRUCache<string, Sent>({
    // By size: with `max` the cache would reserve memory for all of them.
    maxSize: maxKept,
    sizeCalculation: () => 1,
    ttl: 2 * skew * 1000,
    ttlResolution: 0,
    perf: { now: clock },
  });
  const mayCome = gateOf(callbackRanges);
  return {
    check({ method, path, query, request }) {
      if (cacheSecret === null) return UNSIGNED;
      if (!mayCome(request.peer)) return FOREIGN;
      if (request.body.length > longest) return TOO_LARGE;
      const [, time = '', digest = ''] = HEADER.exec(request.header(header) ?? '') ?? [];
      if (digest === '') return UNSIGNED;
      // The query is not signed.
      if (Object.keys(query).length > 0) return UNSIGNED;
      if (Math.abs(Math.floor(clock() / 1000) - Number(time)) > skew) return UNSIGNED;
      const expected = createHmac('sha256', cacheSecret).update(`${time}.${method} ${path}\n`).update(request.body);
      if (!timingSafeEqual(expected.digest(), Buffer.from(digest, 'hex'))) return UNSIGNED;
      // One request may check its permission and run its command more than once.
      return (accepted.get(digest) ?? request) === request ? null : UNSIGNED;
    },
    digestOf,
    accept: (call) => void accepted.set(digestOf(call), call.request),
  };
}

function digestOf({ request }: Call<Model>): string {
  return HEADER.exec(request.header(header) ?? '')?.[2] ?? '';
}

/** The refusal of a callback that is in the log: this or another process has accepted it before. */
export const replayed = UNSIGNED;

function gateOf(ranges: readonly string[]): (peer: string) => boolean {
  if (ranges.length === 0) return () => true;
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), isIPv6(network) ? 'ipv6' : 'ipv4');
  }
  return (peer) => {
    const plain = peer.replace(/^::ffff:(?=\d+\.)/i, '');
    return plain !== '' && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  };
}
