import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

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
