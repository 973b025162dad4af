import { Resolver } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { isPublicAddress } from './address.ts';

/** Resolves a host name to IP addresses; throws if there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export interface OutgoingPlace {
  /** IP address, so that the name is not resolved again. */
  readonly address: string;
  readonly port: number;
  readonly host: string;
  readonly secure: boolean;
}

export type Connect = (place: OutgoingPlace) => Socket;

/** In milliseconds. */
const PATIENCE = 2000;

/**
 * Resolves where to fetch an address; null if that is not allowed (by default: not on the public internet). The same look-up decides and
 * supplies the address, so that a second one cannot differ; if any address of a name is disallowed, none is used.
 */
export async function findPlace(
  url: URL,
  resolve: Resolve,
  isAllowed: (address: string) => boolean = isPublicAddress,
): Promise<OutgoingPlace | null> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  const [address] = addresses;
  if (address === undefined || !addresses.every(isAllowed)) return null;
  const secure = url.protocol === 'https:';
  return { address, port: Number(url.port) || (secure ? 443 : 80), host, secure };
}

/** Asks the name servers, IPv4 first. */
export const resolveName: Resolve = async (host) => {
  // The system resolver occupies a thread per look-up, reads local host files and completes short names.
  const resolver = new Resolver({ timeout: PATIENCE, tries: 1 });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  if (addresses.length === 0) throw new Error(`${host} has no address`);
  return addresses;
};

export const connectTo: Connect = ({ address, port, host, secure }) => {
  if (!secure) return connect({ host: address, port });
  return connectSecurely({ host: address, port, ...(isIP(host) === 0 ? { servername: host } : {}) });
};
