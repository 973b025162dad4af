import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { networkTest } from '#outgoing/place.ts';

describe('an address', () => {
  it.each([
    [['10.0.0.0/8'], '10.255.0.1', true],
    [['10.0.0.0/8'], '11.0.0.1', false],
    [['10.0.0.0/8'], '::ffff:10.1.2.3', true],
    [['10.0.0.0/8'], '64:ff9b::a01:203', false],
    [['192.0.2.7'], '192.0.2.7', true],
    [['192.0.2.7'], '192.0.2.8', false],
    [['fd00::/8'], 'fd12:3456::1', true],
    [['fd00::/8'], 'fe80::1', false],
    [['::1'], '::1', true],
    [['::1'], '127.0.0.1', false],
    [['fd00::/8', '10.0.0.0/8'], '10.0.0.1', true],
    [['0.0.0.0/0'], '::1', false],
    [['10.0.0.0/8'], '0x0a.0.0.1', false],
    [['10.0.0.0/8'], 'intranet', false],
    [['10.0.0.0/8'], '', false],
    [[], '10.0.0.1', false],
  ])('for the networks %j: %s is inside: %s', (networks, address, expected) => {
    expect(networkTest(networks)(address)).toBe(expected);
  });

  it('is inside a network exactly when it has the same prefix', () => {
    const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
    const number = (parts: readonly number[]) => parts.reduce((sum, part) => sum * 256 + part, 0);
    fc.assert(
      fc.property(octets, octets, fc.nat(32), (network, address, bits) => {
        const isSame =
          Math.floor(number(network) / 2 ** (32 - bits)) === Math.floor(number(address) / 2 ** (32 - bits));
        expect(networkTest([`${network.join('.')}/${bits}`])(address.join('.'))).toBe(isSame);
      }),
    );
  });
});
