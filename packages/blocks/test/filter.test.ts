import { describe, expect, it } from 'vitest';
import { filterFootnotes, filterMarkup, filterTitle } from '../src/filter.ts';
import { type Row, testRows, unchanged } from './rows.ts';

const elements: Row[] = [
  { name: 'scripts, but not their text', input: '<script>a</script>', output: 'a' },
  { name: 'style sheets, but not their text', input: '<style>p{}</style>', output: 'p{}' },
  {
    name: 'frames, forms and their fields',
    input: '<iframe src="x">a</iframe><form action="/"><input name="b"><select><option>c</option></select></form>',
    output: 'ac',
  },
  {
    name: 'embedded programs and drawings',
    input: '<embed src="x"><svg><path d=""/></svg><applet>a</applet>',
    output: 'a',
  },
  { name: 'unknown elements', input: '<custom-tag a="b">t</custom-tag><o:p>u</o:p>', output: 'tu' },
  {
    name: 'document elements',
    input: '<html><head><meta charset="x"><link rel="y"></head><body>t</body></html>',
    output: 't',
  },
  { name: 'elements in capitals', input: '<SCRIPT>a</SCRIPT>', output: 'a' },
  { name: 'elements with blanks before their name', input: '< script>a</ script>', output: 'a</ script>' },
  { name: 'elements hidden in each other', input: '<scr<script>ipt>a', output: '&lt;script&gt;a' },
  { name: 'declarations in capitals and instructions', input: '<!DOCTYPE html><?php x ?>a', output: 'a' },
  { name: 'the data of objects', input: '<object data="x.swf" type="y">a</object>', output: '<object>a</object>' },
  { name: 'control characters', input: 'a\u0000b\u0008c\u001fd\te\nf', output: 'abcd\te\nf' },
];

const attributes: Row[] = [
  { name: 'events', input: '<b onclick="x()" ONLOAD=y>a</b>', output: '<b>a</b>' },
  { name: 'attributes of other elements', input: '<p href="x" src="y">a</p>', output: '<p>a</p>' },
  { name: 'unknown attributes', input: '<a ping="x" is="y" srcset="z" nonce="n">a</a>', output: '<a>a</a>' },
  { name: 'all attributes of end tags', input: '<b>a</b onclick="x">', output: '<b>a</b>' },
  {
    name: 'the second of two attributes of one name',
    input: '<p title="a" TITLE="b">c</p>',
    output: '<p title="a">c</p>',
  },
  { name: 'all attributes where a quotation is not closed', input: '<p title="a>b</p>', output: '<p>b</p>' },
  { name: 'names for downloads', input: '<a download="x">a</a>', output: '<a>a</a>' },
  {
    name: 'data attributes with odd names',
    input: '<p data-a.b="1" data-="2" data-c_d-1="3">e</p>',
    output: '<p data-c_d-1="3">e</p>',
  },
];

const addresses: Row[] = [
  { name: 'the scheme of scripts', input: '<a href="javascript:alert(1)">a</a>', output: '<a href="alert(1)">a</a>' },
  {
    name: 'schemes in capitals and with blanks',
    input: '<a href=" JaVa\tScript :x">a</a>',
    output: '<a href="x">a</a>',
  },
  {
    name: 'schemes written with references',
    input: '<a href="&#106;avascript&#58;x">a</a>',
    output: '<a href="x">a</a>',
  },
  {
    name: 'schemes in front of each other',
    input: '<a href="javascript:javascript:x">a</a>',
    output: '<a href="x">a</a>',
  },
  { name: 'schemes nested too deep', input: '<a href="j:j:j:j:j:j:j:x">a</a>', output: '<a href="">a</a>' },
  { name: 'data addresses', input: '<img src="data:image/png;base64,xx">', output: '<img src="image/png;base64,xx">' },
  {
    name: 'what stands before a colon in a relative address',
    input: '<a href="/a/b:c">d</a>',
    output: '<a href="c">d</a>',
  },
  {
    name: 'unknown schemes',
    input: '<blockquote cite="vbscript:x">a</blockquote>',
    output: '<blockquote cite="x">a</blockquote>',
  },
];

const styles: Row[] = [
  {
    name: 'unknown properties',
    input: '<p style="behavior:x;color:red;-moz-binding:y">a</p>',
    output: '<p style="color:red">a</p>',
  },
  {
    name: 'unknown functions',
    input: '<p style="width:expression(1);height:1px">a</p>',
    output: '<p style="height:1px">a</p>',
  },
  { name: 'comments and escapes', input: '<p style="color:/**/red;margin:\\31">a</p>', output: '<p>a</p>' },
  { name: 'addresses of scripts', input: '<p style="background:url(javascript:x)">a</p>', output: '<p>a</p>' },
  { name: 'functions that are not closed', input: '<p style="width:calc(1px">a</p>', output: '<p>a</p>' },
  { name: 'the whole attribute when nothing is left of it', input: '<p style="b:c">a</p>', output: '<p>a</p>' },
];

const rewritten: Row[] = [
  {
    name: 'lone ampersands',
    input: 'a & b &c; &nope; &amp; &eacute;',
    output: 'a &amp; b &amp;c; &amp;nope; &amp; &eacute;',
  },
  {
    name: 'numbers of characters',
    input: '&#65; &#00065; &#x0041; &#X41; &#55296; &#9999999;',
    output: '&#065; &#065; &#x41; &#x41; &amp;#55296; &amp;#9999999;',
  },
  { name: 'lone brackets', input: 'a < d > c 1<2', output: 'a  c 1&lt;2' },
  { name: 'blanks in tags', input: 'a < b > c < /b >', output: 'a <b> c </b>' },
  { name: 'quotes behind a lone bracket', input: `a <"b" 'c'`, output: 'a &lt;&quot;b&quot; &#039;c&#039;' },
  { name: 'a lone closing bracket', input: 'a > b', output: 'a &gt; b' },
  { name: 'slashes of empty elements', input: '<br/><hr  /><img src="a"/>', output: '<br /><hr /><img src="a" />' },
  {
    name: 'names of attributes, in lower case',
    input: '<P CLASS="a" Data-B="c">d</P>',
    output: '<P class="a" data-b="c">d</P>',
  },
  {
    name: 'values without quotation marks',
    input: '<td colspan=2 align=left>a</td>',
    output: '<td colspan="2" align="left">a</td>',
  },
  { name: 'values in single quotes', input: `<p title='a "b"'>c</p>`, output: '<p title="a &quot;b&quot;">c</p>' },
  { name: 'apostrophes in values', input: `<p title="it's">a</p>`, output: '<p title="it&apos;s">a</p>' },
  {
    name: 'references in values',
    input: '<a href="?a=1&b=2&#38;c=3" title="&eacute;&lt;">d</a>',
    output: '<a href="?a=1&amp;b=2&amp;c=3" title="é&lt;">d</a>',
  },
  {
    name: 'the blanks between attributes',
    input: '<p   id="a"\n\tclass="b"   >c</p>',
    output: '<p id="a" class="b">c</p>',
  },
  {
    name: 'the end of styles',
    input: '<p style="color:red; margin:0;">a</p>',
    output: '<p style="color:red;margin:0">a</p>',
  },
  { name: 'dashes in comments', input: '<!-- a -- b --- c ---->', output: '<!-- a - b - c -->' },
];

const blocks: Row[] = [
  {
    name: 'markup in the attributes of blocks',
    input: '<!-- wp:a {"b":"\\u003cscript\\u003ex\\u003c/script\\u003e\\u003cb onclick=1\\u003ey"} /-->',
    output: '<!-- wp:a {"b":"x\\u003cb\\u003ey"} /-->',
  },
  {
    name: 'the names of attributes of blocks',
    input: '<!-- wp:a {"\\u003ci onx=1\\u003e":1} /-->',
    output: '<!-- wp:a {"\\u003ci\\u003e":1} /-->',
  },
  {
    name: 'nested attributes',
    input: '<!-- wp:a {"b":{"c":["\\u003cscript\\u003e"]}} /-->',
    output: '<!-- wp:a {"b":{"c":[""]}} /-->',
  },
  {
    name: 'what is in blocks',
    input: '<!-- wp:a --><script>x</script><!-- /wp:a -->',
    output: '<!-- wp:a -->x<!-- /wp:a -->',
  },
];

describe('filtering removes', () => {
  testRows([...elements, ...attributes, ...addresses, ...styles], filterMarkup);
});

describe('filtering rewrites', () => {
  testRows([...rewritten, ...blocks], filterMarkup);
});

describe('filtering keeps', () => {
  testRows(
    unchanged({
      'plain texts': 'a "b" \'c\' -- d',
      'known elements':
        '<h2>a</h2><ul><li>b</li></ul><table><tr><td>c</td></tr></table><figure><figcaption>d</figcaption></figure>',
      'times, dialogs and places to break a word': '<time datetime="2020">a</time>b<wbr>c<dialog open>d</dialog>',
      formulas: '<math display="block"><mfrac linethickness="0"><mi>x</mi><mn>2</mn></mfrac></math>',
      'known attributes':
        '<a href="http://x.example/?a=1" target="_blank" rel="me">a</a><img src="x.png" alt="y" width="1" height="2">',
      'attributes of every element':
        '<p id="a" class="b" title="c" dir="rtl" lang="de" role="note" aria-label="d" data-x="e" hidden>f</p>',
      'attributes without a value': '<video src="v.mp4" controls></video><a href="x" download>a</a>',
      'safe schemes':
        '<a href="mailto:a@b.example">a</a><a href="tel:1">b</a><a href="ftp://x/">c</a><a href="#d">e</a>',
      'addresses without a scheme': '<a href="/a/b?c=d#e">f</a><a href="//x.example/">g</a><a href="/?c=d:e">h</a>',
      'known styles': '<p style="color:red;position:fixed;text-align:center">a</p>',
      'known functions in styles': '<p style="width:calc(100% - (2px + 1em));color:var(--x, red)">a</p>',
      'gradients and addresses in styles':
        '<p style="background:linear-gradient(90deg,rgb(1,2,3) 0%,red 100%);background-image:url(https://x.example/a.png)">a</p>',
      'variables in styles': '<p style="--my-Gap_1:2px">a</p>',
      comments: 'a<!-- b --><!--more--><!-- c\nd -->',
      'blocks with attributes': '<!-- wp:paragraph {"align":"left","n":1.5} --><p>x</p><!-- /wp:paragraph -->',
      'other scripts and emoji': 'Grüße 日本 👋',
      'old elements': '<tt>a</tt><big>b</big><acronym title="c">d</acronym><font color="red">e</font>',
    }),
    filterMarkup,
  );
});

describe('a filtered title', () => {
  testRows(
    [
      {
        name: 'keeps a few inline elements',
        input: '<b>a</b><em>b</em><code>c</code><a href="d" title="e">f</a>',
        output: '<b>a</b><em>b</em><code>c</code><a href="d" title="e">f</a>',
      },
      { name: 'loses all others', input: '<h1>a</h1><span>b</span><img src="c"><u>d</u>', output: 'abd' },
      { name: 'loses their attributes', input: '<b class="a" style="b" data-c="d">e</b>', output: '<b>e</b>' },
      { name: 'has its ampersands escaped', input: 'a & b', output: 'a &amp; b' },
    ],
    filterTitle,
  );
});

describe('filtered footnotes', () => {
  testRows(
    [
      { name: 'are written anew', input: '[ {"id":"a","content":"b","x":1} ]', output: '[{"id":"a","content":"b"}]' },
      {
        name: 'have their contents filtered',
        input: '[{"id":"a","content":"<script>b</script><i onclick=\\"x\\">c</i>"}]',
        output: '[{"id":"a","content":"b<i>c<\\/i>"}]',
      },
      { name: 'have plain ids', input: '[{"id":"A 1!_-","content":"b"}]', output: '[{"id":"a1_-","content":"b"}]' },
      {
        name: 'are escaped outside ASCII',
        input: '[{"id":"a","content":"é👋/"}]',
        output: '[{"id":"a","content":"\\u00e9\\ud83d\\udc4b\\/"}]',
      },
      {
        name: 'without id or content are dropped',
        input: '[{"id":"a"},{"content":"b"},{"id":"","content":"c"},5,"x"]',
        output: '[]',
      },
      { name: 'can be none', input: '[]', output: '[]' },
      { name: 'are nothing when they are no list', input: 'text', output: '' },
      { name: 'are nothing when they are a number', input: '5', output: '' },
    ],
    filterFootnotes,
  );

  it('are unchanged when filtered again', () => {
    const once = filterFootnotes('[{"id":"a","content":"<b>é & \\"x\\"</b>"}]');
    expect(filterFootnotes(once)).toBe(once);
  });
});
