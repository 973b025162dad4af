import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What is given out to sites and people at all; everything else of IPv6 is special or not in use. */
const GLOBAL_V6 = ipaddr.IPv6.parse('2000::');
const GLOBAL_V6_BITS = 3;

/**
 * Whether an IP address belongs to a machine on the public internet: not private, loopback, link-local or reserved,
 * nor another address in disguise (mapped, translated, tunnelled).
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return !(address instanceof ipaddr.IPv6) || address.match(GLOBAL_V6, GLOBAL_V6_BITS);
}
