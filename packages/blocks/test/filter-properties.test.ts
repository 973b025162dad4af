import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterMarkup, filterTitle } from '../src/filter.ts';

const pieces = [
  ...[
    '<',
    '>',
    '</',
    '/>',
    '<!--',
    '-->',
    '--',
    '<!',
    '<?',
    '&',
    '"',
    "'",
    '=',
    ' ',
    '\n',
    '\\',
    '\0',
    ';',
    ':',
    'x',
    'é',
  ],
  ...[
    '<b>',
    '</b>',
    '<p ',
    '<a href="',
    'href=',
    'src=',
    'style="',
    'onclick=',
    'onerror="',
    'javascript:',
    'java&#115;cript:',
  ],
  ...[
    'script',
    '<script>',
    '</script>',
    '<img src=x onerror=y>',
    '<svg/onload=z>',
    '<iframe src="',
    '<style>',
    '&lt;script&gt;',
  ],
  ...[
    '<!-- wp:a {"b":"',
    '"} -->',
    '<!-- /wp:a -->',
    '<!-- wp:a ',
    '{',
    '}',
    '/-->',
    'url(',
    'expression(',
    ')',
    '<title>',
    '<textarea>',
  ],
];
const hostile = fc.array(fc.constantFrom(...pieces), { maxLength: 16 }).map((parts) => parts.join(''));

/** The tags that a lenient parser finds: outside comments, from `<` and a letter to the next `>`. */
function tagsOf(html: string): { name: string; attributes: string }[] {
  const visible = html.replace(/<!--[\s\S]*?-->/g, '');
  return [...visible.matchAll(/<\/?([a-z][^\s/>]*)([^>]*)>/gi)].map(([, name = '', attributes = '']) => ({
    name,
    attributes,
  }));
}

const HARMFUL = /^(?:script|style|iframe|svg|math|form|input|embed|base|link|meta|template|noscript)$/i;

describe('filtered markup', () => {
  it('is unchanged when filtered again', () => {
    fc.assert(
      fc.property(hostile, (html) => {
        const once = filterMarkup(html);
        expect(filterMarkup(once)).toBe(once);
      }),
      { numRuns: 5000 },
    );
  });

  it('contains no harmful element, event handler or address', () => {
    fc.assert(
      fc.property(hostile, (html) => {
        for (const { name, attributes } of tagsOf(filterMarkup(html))) {
          expect(name).not.toMatch(HARMFUL);
          expect(attributes.replace(/"[^"]*"/g, '""')).not.toMatch(/(?:^|[\s/"])on\w+/i);
          expect(attributes).not.toMatch(/(?:href|src|cite)="[^"]*script\s*:/i);
        }
      }),
      { numRuns: 5000 },
    );
  });

  it('has quotation marks around every attribute value', () => {
    fc.assert(
      fc.property(hostile, (html) => {
        for (const { attributes } of tagsOf(filterMarkup(html))) {
          expect(attributes).toMatch(/^(?:\s+[a-z][\w:-]*(?:="[^"<>]*")?)*\s*\/?$/);
        }
      }),
      { numRuns: 5000 },
    );
  });

  it('keeps plain text unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab é日"\'=;:/\n'), maxLength: 40 }), (text) => {
        expect(filterMarkup(text)).toBe(text);
        expect(filterTitle(text)).toBe(text);
      }),
    );
  });
});
