import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import type { Origin, OriginLookUp } from '#domain/kernel/origin.ts';

/** Determines client addresses and, with `note`, records those of writes. */
export interface Origins extends Partial<OriginLookUp> {
  readonly addressOf: (request: IncomingMessage) => string;
  readonly note?: (origin: Origin) => void;
}

/** Looks origins up; undefined if they are not kept. */
export function lookUpOf({ originOf, from }: Partial<OriginLookUp> = {}): OriginLookUp | undefined {
  return originOf === undefined || from === undefined ? undefined : { originOf, from };
}

/**
 * Returns a function that determines the address of a client. Behind a proxy it is the one in `X-Forwarded-For`, if the proxy is
 * trusted: any client can send that header. Throws `TypeError` if an element of `trusted` is not an address.
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
