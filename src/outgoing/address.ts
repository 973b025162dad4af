import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The part of IPv6 that is assigned for general use; all else is special or unused. */
const GLOBAL_V6 = ipaddr.IPv6.parse('2000::');
const GLOBAL_V6_BITS = 3;

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
