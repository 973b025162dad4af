import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanIcon } from '#text/svg.ts';

describe('an icon', () => {
  it.each([
    ['<svg viewBox="0 0 24 24"><path d="M0 0h24"/></svg>', '<svg viewBox="0 0 24 24"><path d="M0 0h24"/></svg>'],
    ['<?xml version="1.0"?><!-- made --> <svg><g fill="url(#a)"/></svg>', '<svg><g fill="url(#a)"/></svg>'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['<svg><title>A &amp; B</title></svg>', '<svg><title>A &amp; B</title></svg>'],
    ['<svg><use href="#a"/><use xlink:href="#b"/></svg>', '<svg><use href="#a"/><use xlink:href="#b"/></svg>'],
  ])('%s is kept', (svg, kept) => {
    expect(cleanIcon(svg)).toBe(kept);
  });

  it.each([
    '<svg onload="x()"/>',
    '<svg ONLOAD="x()"/>',
    '<svg><script>x()</script></svg>',
    '<svg><foreignObject><p>x</p></foreignObject></svg>',
    '<svg><style>*{fill:red}</style></svg>',
    '<svg><a href="javascript:x()">x</a></svg>',
    '<svg><set attributeName="href" to="javascript:x()"/></svg>',
    '<svg><image href="http://x.example/a.png"/></svg>',
    '<svg style="background:url(http://x.example)"/>',
    '<svg style="background:u\\72l(http://x.example)"/>',
    '<svg style="@import \'http://x.example\'"/>',
    '<svg xmlns="http://www.w3.org/1999/xhtml"/>',
    '<svg><![CDATA[<script>x()</script>]]></svg>',
    '<svg><!-- <script> --></svg>',
  ])('%s loses harmful parts', (svg) => {
    expect(cleanIcon(svg)).toBe('<svg/>');
  });

  it.each(['<svg><use href="data:image/svg+xml,x"/></svg>', '<svg><use xlink:href="http://x.example/#a"/></svg>'])(
    '%s loses external references',
    (svg) => {
      expect(cleanIcon(svg)).toBe('<svg><use/></svg>');
    },
  );

  it.each(['', 'x', '<p/>', '<svg/><svg/>', '<svg/>x', '<SVG/>', '<g><svg/></g>'])('%s is invalid', (svg) => {
    expect(cleanIcon(svg)).toBeNull();
  });

  it('is unchanged when cleaned again, and has no scripts', () => {
    const piece = fc.constantFrom(
      ...['<svg', '<g', '<script', '>', '/>', '</g>', '</svg>', '</script>', ' href="#a"', ' onload="x"', ' d="&lt;"'],
      ...['&amp;', '&#60;', '<![CDATA[', ']]>', '<!--', '-->', '"', "'", 'x', ' style="fill:url(#a)"', '<?a ?>'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const clean = cleanIcon(`<svg>${pieces.join('')}</svg>`);
        if (clean === null) return;
        expect(clean).not.toMatch(/<script|<[^>]* onload=/);
        expect(cleanIcon(clean)).toBe(clean);
      }),
      { numRuns: 500 },
    );
  });
});
