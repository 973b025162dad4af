import { Resolver } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import ipaddr from 'ipaddr.js';

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

/** The part of IPv6 that is assigned for general use; all else is special or unused. */
const GLOBAL_V6 = ipaddr.IPv6.parse('2000::');
const GLOBAL_V6_BITS = 3;

/** Usual ports of web servers; others may belong to internal services. */
const PORTS: readonly string[] = ['', '80', '443', '8080'];
const LONGEST = 2048;

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

/** Returns a predicate for IP addresses in any of the networks, such as `10.0.0.0/8`, `fd00::/8`, `127.0.0.1`. */
export function networkTest(networks: readonly string[]): (address: string) => boolean {
  const ranges = networks.map((network) =>
    ipaddr.parseCIDR(network.includes('/') ? network : `${network}/${widest(network)}`),
  );
  return (text) => {
    if (isIP(text) === 0) return false;
    const address = ipaddr.process(text);
    return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
  };
}

function widest(address: string): number {
  return isIP(address) === 6 ? 128 : 32;
}

/**
 * Whether an IP address is on the public internet: not private, loopback, link-local or reserved, nor such an address in disguise (mapped,
 * translated, tunnelled).
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return !(address instanceof ipaddr.IPv6) || address.match(GLOBAL_V6, GLOBAL_V6_BITS);
}

/**
 * Parses an address that may be requested as far as its text shows: http or https, on a web port, without credentials. Null for others;
 * `base` resolves relative addresses.
 */
export function readTarget(text: string, base?: URL): URL | null {
  const url = readAnyPort(text, base);
  return url !== null && isWebPort(url) ? url : null;
}

export function readAnyPort(text: string, base?: URL): URL | null {
  const url = text.length > LONGEST ? null : URL.parse(text, base?.href);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  if (url.username !== '' || url.password !== '') return null;
  url.hash = '';
  return url;
}

export function isWebPort({ port }: Pick<URL, 'port'>): boolean {
  return PORTS.includes(port);
}
