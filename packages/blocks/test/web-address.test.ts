import fc from 'fast-check';
import { expect, it } from 'vitest';
import { webAddress } from '../src/web-address.ts';

it.each([
  ['', ''],
  ['  https://example.org/', 'https://example.org/'],
  ['example.org/x y', 'http://example.org/x%20y'],
  ['/a', '/a'],
  ['#top', '#top'],
  ['index.php?p=1', 'index.php?p=1'],
  ['mailto:ada@example.org', 'mailto:ada@example.org'],
  ['https://example.org/"<b>', 'https://example.org/b'],
  ['https://example.org/a%0d%0ab', 'https://example.org/ab'],
  ['https://example.org/a%0%0dD%0%0a%0aa', 'https://example.org/a'],
  ['https://example.org/é', 'https://example.org/é'],
  ['https://[::1]:80/[a]?[b]', 'https://[::1]:80/%5Ba%5D?%5Bb%5D'],
  ['javascript:alert(1)', ''],
  ['JaVaScRiPt:alert(1)', ''],
  ['example.org:80/x', ''],
  ['data:text/html,x', ''],
])('stores %j as %j', (sent, stored) => expect(webAddress(sent)).toBe(stored));

it('leaves a stored address unchanged', () => {
  const pieces = fc.constantFrom(
    'http://',
    'javascript:',
    'a',
    '[',
    ']',
    '%0',
    'd',
    ' ',
    ';//',
    '/',
    '&#58;',
    'é',
    ':',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const stored = webAddress(parts.join(''));
      expect(webAddress(stored)).toBe(stored);
    }),
  );
});
