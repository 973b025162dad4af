import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import type { Origin, OriginOf } from '#domain/kernel/origin.ts';

/** Knows where requests come from, and takes down where writes did; without `note` none of that is kept. */
export interface Origins {
  readonly addressOf: (request: IncomingMessage) => string;
  readonly note?: (origin: Origin) => void;
  readonly originOf?: OriginOf;
}

/**
 * Reads off the address that a request came from. Behind a proxy that is what the proxy says, but only what a trusted one
 * says: anybody can send `X-Forwarded-For`. Throws `TypeError` when what is trusted is no address.
 */
export function addressReader(trusted: readonly string[]): Origins['addressOf'] {
  const isTrusted = proxyAddress.compile([...trusted]);
  return (request) => {
    const address = proxyAddress(request, isTrusted);
    return plain(isIP(address) === 0 ? (request.socket.remoteAddress ?? '') : address);
  };
}

function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
