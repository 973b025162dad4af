import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { smileys } from '../src/smileys.ts';
import { typography } from '../src/typography.ts';
import { type Row, testRows, unchanged } from './rows.ts';

const quotes: Row[] = [
  { name: 'double quotes open before and close after words', input: '"a b"', output: '&#8220;a b&#8221;' },
  { name: 'single quotes open before and close after words', input: "'a b'", output: '&#8216;a b&#8217;' },
  {
    name: 'quotes open after brackets',
    input: '("a") [\'b\'] {"c"}',
    output: '(&#8220;a&#8221;) [&#8216;b&#8217;] {&#8220;c&#8221;}',
  },
  { name: 'quotes open after a hyphen', input: 'x -"a"', output: 'x -&#8220;a&#8221;' },
  { name: 'quotes nest', input: `"a 'b' c"`, output: '&#8220;a &#8216;b&#8217; c&#8221;' },
  { name: 'quotes nest without a blank between', input: `"'a' b"`, output: '&#8220;&#8216;a&#8217; b&#8221;' },
  {
    name: 'quotes close before punctuation',
    input: '"a", "b". "c"! "d"?',
    output: '&#8220;a&#8221;, &#8220;b&#8221;. &#8220;c&#8221;! &#8220;d&#8221;?',
  },
  { name: 'a double quote with blanks around closes', input: 'a " b', output: 'a &#8221; b' },
  {
    name: 'an apostrophe stands inside words',
    input: "it's rock'n'roll",
    output: 'it&#8217;s rock&#8217;n&#8217;roll',
  },
  { name: 'an apostrophe stands after plural words', input: "the boys' ball", output: 'the boys&#8217; ball' },
  {
    name: 'elided words begin with an apostrophe',
    input: "'tis 'twas 'til 'cause 'em 'round",
    output: '&#8217;tis &#8217;twas &#8217;til &#8217;cause &#8217;em &#8217;round',
  },
  { name: 'an elided word can hold another apostrophe', input: "'tain't so", output: '&#8217;tain&#8217;t so' },
  { name: 'elided words with a capital begin like quotations', input: "'Tis", output: '&#8216;Tis' },
  { name: 'years are abbreviated with an apostrophe', input: "the '90s, '99", output: 'the &#8217;90s, &#8217;99' },
  {
    name: 'a year can end a quotation',
    input: `'back in '99' "of '99"`,
    output: '&#8216;back in &#8217;99&#8217; &#8220;of &#8217;99&#8221;',
  },
  {
    name: 'numbers can be quoted',
    input: `'0.5' "42" "1,000"`,
    output: '&#8216;0.5&#8217; &#8220;42&#8221; &#8220;1,000&#8221;',
  },
  { name: 'feet and inches are primes', input: `6'2" tall`, output: '6&#8217;2&#8243; tall' },
  { name: 'a lone foot before a blank is a prime', input: `9' by 10'`, output: '9&#8242; by 10&#8242;' },
  { name: 'inches outside a quotation are double primes', input: '3" and 4"', output: '3&#8243; and 4&#8243;' },
  { name: 'a digit can end a quotation', input: '"chapter 9" x', output: '&#8220;chapter 9&#8221; x' },
  {
    name: 'inches inside a quotation are double primes',
    input: '"a 9" nail"',
    output: '&#8220;a 9&#8243; nail&#8221;',
  },
  {
    name: 'of several digits in a quotation the last one closes it',
    input: '"a 9" by 8" by 7"',
    output: '&#8220;a 9&#8243; by 8&#8243; by 7&#8221;',
  },
  {
    name: 'before a full stop the quotation ends',
    input: '"a 9" by 8". b 7" c',
    output: '&#8220;a 9&#8243; by 8&#8221;. b 7&#8243; c',
  },
  { name: 'doubled backticks and apostrophes are quotes', input: "``a''", output: '&#8220;a&#8221;' },
  {
    name: 'a no-break space counts as a blank',
    input: 'a\u00a0"b"&nbsp;"c"',
    output: 'a\u00a0&#8220;b&#8221;&nbsp;&#8220;c&#8221;',
  },
  { name: 'escaped brackets count as brackets', input: '&lt;"a"&gt;', output: '&lt;&#8220;a&#8221;&gt;' },
  {
    name: 'a tag ends the text before it',
    input: '<b>"a"</b> "b"<br />',
    output: '<b>&#8220;a&#8221;</b> &#8220;b&#8221;<br />',
  },
  {
    name: 'a quote right after a tag opens',
    input: '"<i>b</i>" \'<i>c</i>\'',
    output: '&#8220;<i>b</i>&#8221; &#8216;<i>c</i>&#8216;',
  },
];

const dashes: Row[] = [
  { name: 'a double dash between blanks is long', input: 'a -- b', output: 'a &#8212; b' },
  { name: 'a triple dash is long anywhere', input: 'a --- b---c', output: 'a &#8212; b&#8212;c' },
  { name: 'a double dash at a word is short', input: 'a --b c-- d--e', output: 'a &#8211;b c&#8211; d&#8211;e' },
  { name: 'a single dash between blanks is short', input: 'a - b', output: 'a &#8211; b' },
  { name: 'dashes at the ends of a text count as between blanks', input: '-- a -', output: '&#8212; a &#8211;' },
  { name: 'four dashes are a long one and a hyphen', input: 'a----b', output: 'a&#8212;-b' },
];

const signs: Row[] = [
  { name: 'three dots are an ellipsis', input: 'a... b....', output: 'a&#8230; b&#8230;.' },
  { name: 'the trade mark needs a blank before it', input: 'a (tm) b(tm)', output: 'a &#8482; b(tm)' },
  { name: 'an x between numbers multiplies', input: '3x4 10x20 1.5x2,5', output: '3&#215;4 10&#215;20 1.5&#215;2,5' },
  { name: 'a number ends before a full stop', input: '3x4. 5x6,', output: '3&#215;4. 5&#215;6,' },
  { name: 'a zero in front needs another digit', input: '0x1 00x1 0.5x1', output: '0x1 00&#215;1 0.5&#215;1' },
  {
    name: 'ampersands that begin no reference are escaped',
    input: 'a & b &c; &x y',
    output: 'a &#038; b &c; &#038;x y',
  },
  {
    name: 'ampersands in tags are escaped',
    input: '<a href="?a=1&b=2&amp;c">x</a>',
    output: '<a href="?a=1&#038;b=2&amp;c">x</a>',
  },
];

describe('typography', () => {
  testRows([...quotes, ...dashes, ...signs], typography);
  testRows(
    unchanged({
      'hyphens stay': 'a-b well-known',
      'the dashes of a coded domain name stay': 'xn--bcher-kva.example',
      'chains and words of numbers stay': '2x3x4 a1x2 3x4b 5 x 6 0x1f',
      'references stay': '&amp; &#38; &#x26; &eacute; &sup2;',
      'fractions and signs stay': '1/2 (c) (r)',
      'comments stay': '<!-- "a" -- b & c -->',
      'an unclosed comment goes to the end': 'a <!-- "b" & c',
      'attributes stay': '<a title="x \'y\' -- z">b</a>',
      'what follows a lone bracket is taken for a tag': 'a < "b" -- c',
    }),
    typography,
  );

  describe('inside code', () => {
    testRows(
      [
        {
          name: 'nothing is set',
          input: '<code>"a" -- & b</code> "c"',
          output: '<code>"a" -- & b</code> &#8220;c&#8221;',
        },
        {
          name: 'attributes of the tag do not matter',
          input: '<pre class="x">"a"</pre>',
          output: '<pre class="x">"a"</pre>',
        },
        {
          name: 'only its own end tag ends it',
          input: '<pre>"a"</code>"b"</pre>"c"',
          output: '<pre>"a"</code>"b"</pre>&#8220;c&#8221;',
        },
        {
          name: 'it can be nested',
          input: '<pre><code>"a"</code>"b"</pre>"c"',
          output: '<pre><code>"a"</code>"b"</pre>&#8220;c&#8221;',
        },
        {
          name: 'scripts and style sheets count',
          input: '<script>"a"</script><style>"b"</style>"c"',
          output: '<script>"a"</script><style>"b"</style>&#8220;c&#8221;',
        },
        {
          name: 'keyboard and teletype texts count',
          input: '<kbd>"</kbd><tt>"</tt> "',
          output: '<kbd>"</kbd><tt>"</tt> &#8220;',
        },
        { name: 'capitals do not count', input: '<PRE>"a"</PRE>', output: '<PRE>&#8220;a&#8221;</PRE>' },
        { name: 'sample texts are set', input: '<samp>"a"</samp>', output: '<samp>&#8220;a&#8221;</samp>' },
      ],
      typography,
    );
  });

  it('leaves texts without quotes, dashes or signs unchanged', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abc éж日 \n\t.,;:!?()'), maxLength: 60 }), (text) => {
        fc.pre(!text.includes('...') && !text.includes('(tm)'));
        expect(typography(text)).toBe(text);
      }),
    );
  });

  it('leaves no straight quote in a text without tags', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...`ab1 .-"&;`), maxLength: 40 }), (text) => {
        expect(typography(text)).not.toContain('"');
      }),
    );
  });
});

describe('smileys', () => {
  testRows(
    [
      { name: 'stand between blanks or at the ends', input: ':) a :-( b ;)', output: '🙂 a 🙁 b 😉' },
      { name: 'follow each other', input: ':) :D :P', output: '🙂 😀 😛' },
      { name: 'have names', input: ':wink: :???: :roll: :idea:', output: '😉 😕 🙄 💡' },
      { name: 'are exclamations and questions', input: ':!: :?:', output: '❗ ❓' },
      { name: 'stand next to tags', input: '<b>:)</b> :)<br />', output: '<b>🙂</b> 🙂<br />' },
      { name: 'stand next to no-break spaces', input: 'a&nbsp;:)\u00a08-)', output: 'a&nbsp;🙂\u00a0😎' },
      { name: 'are found again behind code', input: '<code>:)</code> :)', output: '<code>:)</code> 🙂' },
      { name: 'are found after a bracket that closes nothing', input: ':) < b :)', output: '🙂 < b 🙂' },
    ],
    smileys,
  );
  testRows(
    unchanged({
      'are not looked for at words': 'a:) :)b 18) http://x.example/ :):)',
      'are not looked for in code': '<pre>a :) b</pre><textarea>:)</textarea>',
      'are not looked for in tags': '<a title=" :) ">x</a>',
      'do not include 8)': 'see 8) above',
    }),
    smileys,
  );
});
