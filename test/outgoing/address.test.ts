import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress } from '#outgoing/place.ts';

/** Ranges outside the public internet, as first and last address. */
const closed: readonly (readonly [string, string, string])[] = [
  ['this network', '0.0.0.0', '0.255.255.255'],
  ['private', '10.0.0.0', '10.255.255.255'],
  ['shared by providers', '100.64.0.0', '100.127.255.255'],
  ['loopback', '127.0.0.0', '127.255.255.255'],
  ['link-local, with the metadata of clouds', '169.254.0.0', '169.254.255.255'],
  ['private', '172.16.0.0', '172.31.255.255'],
  ['protocol assignments', '192.0.0.0', '192.0.0.255'],
  ['documentation', '192.0.2.0', '192.0.2.255'],
  ['private', '192.168.0.0', '192.168.255.255'],
  ['benchmarks', '198.18.0.0', '198.19.255.255'],
  ['documentation', '198.51.100.0', '198.51.100.255'],
  ['documentation', '203.0.113.0', '203.0.113.255'],
  ['multicast', '224.0.0.0', '239.255.255.255'],
  ['reserved', '240.0.0.0', '255.255.255.255'],
  ['unspecified and loopback', '::', '::1'],
  ['written like IPv4', '::8.8.8.8', '::ffff:ffff'],
  ['mapped to IPv4', '::ffff:0.0.0.0', '::ffff:255.255.255.255'],
  ['mapped public', '::ffff:8.8.8.8', '::ffff:1.1.1.1'],
  ['translated', '64:ff9b::', '64:ff9b::ffff:ffff'],
  ['translated locally', '64:ff9b:1::', '64:ff9b:1:ffff::'],
  ['discarded', '100::', '100::ffff'],
  ['tunnelled by Teredo', '2001::', '2001:0:ffff::'],
  ['documentation', '2001:db8::', '2001:db8:ffff::'],
  ['tunnelled by 6to4', '2002::', '2002:ffff::'],
  ['documentation', '3fff::', '3fff:fff::'],
  ['segment routing', '5f00::', '5f00:ffff::'],
  ['unique local', 'fc00::', 'fdff:ffff::1'],
  ['link-local', 'fe80::', 'febf:ffff::1'],
  ['link-local with a zone', 'fe80::1%eth0', 'fe80::1%1'],
  ['site-local', 'fec0::', 'feff::1'],
  ['multicast', 'ff00::', 'ffff::1'],
];

describe('an address is public', () => {
  it.each(closed)('not when it is %s: %s to %s', (_, first, last) => {
    expect([isPublicAddress(first), isPublicAddress(last)]).toEqual([false, false]);
  });

  it.each([
    ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '172.15.255.255'],
    ...['172.32.0.0', '192.167.255.255', '192.169.0.0', '223.255.255.255', '2606:4700::1111', '2a00:1450:4001::200e'],
  ])('when it is %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(['', 'localhost', '127.1', '0x7f.0.0.1', '2130706433', '08.8.8.8', '8.8.8.8 ', '[::1]', '8.8.8.8/8'])(
    'not when it is not a plain IP address: "%s"',
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );

  it('never when it is an IPv4 address within IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.constantFrom('::', '::ffff:', '::ffff:0:', '64:ff9b::'), (address, prefix) => {
        expect(isPublicAddress(prefix + address)).toBe(false);
      }),
    );
  });
});
