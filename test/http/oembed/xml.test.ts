import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toXml } from '#http/tables/oembed/routes.ts';

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(
      '<',
      '>',
      '&',
      ']]>',
      '"',
      "'",
      '\0',
      '\r',
      '\n',
      '\ud800',
      '\udfff',
      '\ufffe',
      '😀',
      'a',
      ';',
      '<!--',
    ),
  }),
);
/** All characters that XML 1.0 allows. */
const CHARACTERS = /^[\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

/** Reads the text of an element as an XML parser does. */
function read(text: string): string {
  const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", '#13': '\r' };
  return text.replace(/&([^;]*);/g, (_, name: string) => names[name] ?? `?${name}?`);
}

describe('an oEmbed description in XML', () => {
  it('is well-formed for all values', () => {
    fc.assert(
      fc.property(hostile, fc.integer(), (title, width) => {
        const xml = toXml({ title, width });
        expect(xml).toMatch(CHARACTERS);
        expect(xml).toMatch(
          /^<\?xml version="1\.0"\?><oembed><title>(?:[^<&]|&(?:amp|lt|gt|quot|apos|#13);)*<\/title><width>-?\d+<\/width><\/oembed>$/u,
        );
      }),
    );
  });

  it('preserves all characters that XML allows', () => {
    fc.assert(
      fc.property(hostile, (title) => {
        const shown = /<title>(.*)<\/title>/su.exec(toXml({ title }))?.[1] ?? '';
        const sayable = [...title].filter((char) => CHARACTERS.test(char)).join('');
        expect(read(shown)).toBe(sayable);
      }),
    );
  });
});
