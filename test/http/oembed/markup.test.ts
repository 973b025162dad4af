import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { reduceMarkup } from '#http/tables/oembed/card.ts';

const source = { kept: false, site: 'site.example' };
const reduced = (markup: string, kept = false) => reduceMarkup(markup, { ...source, kept }).html;

/** Everything that may remain: four elements with fixed attributes, and escaped text. */
const ALLOWED =
  /^(?:[^<>&"']|&(?:amp|lt|gt|quot|#039);|<br>|<\/?(?:blockquote|p|a)>|<a href="https?:\/\/[^"<>]*">|<iframe(?: (?:class|sandbox|security|allow|src|data-secret|width|height|title|frameborder)="[^"<>]*")*><\/iframe>)*$/u;

const pieces = fc.constantFrom(
  ...['<blockquote>', '</blockquote>', '<a href="javascript:x">', '<a href=//b.example/"x>', '</a>', '<p>', '<br/>'],
  ...['<script>', '</script>', '<iframe src=https://a.example/>', '<iframe srcdoc="<script>x</script>">', '</iframe>'],
  ...[
    '<!--',
    '-->',
    '<svg onload=x>',
    '<',
    '>',
    '"',
    "'",
    '&lt;script&gt;',
    '&#0;',
    '<a href="https://a.example/&quot;><b">',
  ],
  ...[
    '<iframe src="http://a.example/" onload="x" title="&quot;><script>" width="100%" height=x>',
    '<style>',
    '<math><title>',
  ],
  ...['text', '\0', '<![CDATA[', ']]>', '</', '<?', '<plaintext>', '<noscript>', '<textarea>'],
);

describe('reduced foreign markup', () => {
  it('contains only quotations, links and one frame, whatever the input', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), fc.boolean(), (parts, kept) => {
        const html = reduced(parts.join(''), kept);
        expect(html).toMatch(ALLOWED);
        expect(html.match(/<iframe/g)?.length ?? 0).toBeLessThan(2);
        for (const name of ['blockquote', 'p', 'a']) {
          expect(html.match(new RegExp(`<${name}[ >]`, 'g'))?.length ?? 0).toBe(html.split(`</${name}>`).length - 1);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['text outside of quotations goes', 'a<blockquote>b</blockquote>c', '<blockquote>b</blockquote>'],
    [
      'what is left open is closed',
      '<blockquote><p>a<a href="https://b.example">c',
      '<blockquote><p>a<a href="https://b.example/">c</a></p></blockquote>',
    ],
    [
      'closing what is not open does nothing',
      '</p></blockquote><blockquote>a</p></blockquote>',
      '<blockquote>a</blockquote>',
    ],
    [
      'links without an address of the web lose it',
      '<blockquote><a href="/x">a</a></blockquote>',
      '<blockquote><a>a</a></blockquote>',
    ],
    [
      'scripts go with what is in them',
      '<blockquote>a<script>b</script><style>c</style></blockquote>',
      '<blockquote>a</blockquote>',
    ],
    [
      'references stay what they are',
      '<blockquote>&lt;b&gt; &amp;amp; &eacute;</blockquote>',
      '<blockquote>&lt;b&gt; &amp;amp; é</blockquote>',
    ],
  ])('%s', (_, markup, expected) => {
    expect(reduced(markup)).toBe(expected);
  });

  it('of a listed provider never gets the origin of this site', () => {
    const frame = (host: string) => reduced(`<iframe src="https://${host}/x"></iframe>`, true);
    expect(frame('player.example')).toContain('allow-same-origin');
    expect(frame('site.example')).not.toContain('allow-same-origin');
  });
});
