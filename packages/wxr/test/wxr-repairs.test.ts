import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { cdata, codesOf, exportOf, item, ofKind, post, postmeta, type ReadExport, readExport } from './exports.ts';

/** The first item of exports begins at line 21, its content is at line 29. */
const before = 20;
const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));
const withBytes = (raw: readonly number[]) => {
  const [start = '', end = ''] = exportOf([post(1, 'a\n@b'), post(2, 'second')]).split('@');
  return bytes(start, raw, end);
};
const contents = (read: ReadExport) => ofKind(read, 'item').map(({ content }) => content);
const ids = (read: ReadExport) => ofKind(read, 'item').map(({ id }) => id);
const contentLine = (text: string, part: string) => text.slice(0, text.indexOf(part)).split('\n').length;

describe('a file with bytes that no export may have', () => {
  it.each([
    ['windows-1252', [0x93, 0xe4, 0x94, 0x20, 0xc3, 0xa4], '\u201cä\u201d ä', 'invalid_utf8'],
    ['control characters', [0x00, 0x1f, 0x09, 0x0d, 0x0b], '\t\r', 'control_character'],
    ['characters that are none', [0xef, 0xbf, 0xbe, 0xef, 0xbf, 0xbf], '', 'control_character'],
    ['half a surrogate pair', [0xed, 0xa0, 0x80], '', 'lone_surrogate'],
    ['a surrogate pair in UTF-8', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], '\u{1f600}', 'invalid_utf8'],
  ])('is read with %s, which are named with their line', async (_, raw, expected, code) => {
    const read = await readExport(withBytes(raw));
    expect(contents(read)).toEqual([`a\n${expected}b`, 'second']);
    expect(codesOf(read)).toEqual([`${code}:${contentLine(exportOf([post(1, 'a\n@b')]), '@')}`]);
  });

  it.each([
    ['UTF-16 with a mark', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'), ['utf_16:1']],
    ['UTF-16 of the other order', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), ['utf_16:1']],
    ['UTF-16 without a mark', (text: string) => Buffer.from(text, 'utf16le'), ['utf_16:1']],
    ['UTF-8 with a mark', (text: string) => bytes('\ufeff', text), ['byte_order_mark:1']],
  ])('is read in %s', async (_, encode, codes) => {
    const read = await readExport(encode(exportOf([post(1, 'ä \u{1f600}')])));
    expect(contents(read)).toEqual(['ä \u{1f600}']);
    expect(codesOf(read)).toEqual(codes);
  });

  it('is read in the encoding that it declares, unless it is UTF-8 in truth', async () => {
    const text = exportOf([post(1, 'привет')]).replace('UTF-8', 'windows-1251');
    const cyrillic = Buffer.from(
      [...text].map((letter) => (letter > '\u0400' ? letter.charCodeAt(0) - 0x350 : letter.charCodeAt(0))),
    );
    expect(contents(await readExport(cyrillic))).toEqual(['привет']);
    expect(contents(await readExport(text))).toEqual(['привет']);
  });

  it('keeps no half of a character where the pieces of a long file meet', async () => {
    const content = 'aä€\u{1f600}'.repeat(200_000);
    for (const shift of ['', 'x', 'xx', 'xxx'])
      expect(contents(await readExport(exportOf([post(1, shift + content)])))[0] === shift + content).toBe(true);
  });
});

describe('markup that is not well-formed', () => {
  const title = (text: string) => exportOf([item({ 'wp:post_id': '1', title: text }), post(2, '')]);
  it.each([
    ['Tom & Jerry &amp; &c;', 'Tom & Jerry & &c;', ['bare_ampersand']],
    ['a&nbsp;b&hellip;&copy;', 'a\u00a0b…©', ['html_entity']],
    ['a&#x1F;b&#0;&#xD800;&#8217;', 'ab\u2019', ['forbidden_reference']],
    ['1 < 2 <3', '1 < 2 <3', ['bare_less_than']],
    ['a <b>bold</b><br> word', 'a <b>bold</b><br> word', ['markup_in_text']],
  ])('%j is taken as %j', async (text, expected, codes) => {
    const read = await readExport(title(text));
    expect(ofKind(read, 'item').map((one) => one.title)).toEqual([expected, 'Item 2']);
    expect(codesOf(read)).toEqual(codes.map((code) => `${code}:${before + 2}`));
  });

  it('in CDATA is left as it is', async () => {
    const content = 'Tom & Jerry &nbsp; &#x1F; 1 < 2 <b> <!-- <![CDATA[ x';
    const read = await readExport(exportOf([post(1, content)]));
    expect([contents(read), read.notices]).toEqual([[content], []]);
  });

  it('before the beginning and after the end is left out', async () => {
    const read = await readExport(
      `\n\nWarning: something in x.php on line 3\n${exportOf([post(1, '')])}<b>Fatal error</b>`,
    );
    expect([ids(read), codesOf(read).map((code) => code.split(':')[0])]).toEqual([
      [1],
      ['text_before_start', 'text_after_end'],
    ]);
    const commented = await readExport(`${exportOf([post(1, '')])}\n<!-- cached -->\n`);
    expect(commented.notices).toEqual([]);
  });

  it('of a second export behind the first one is read as well', async () => {
    expect(ids(await readExport(exportOf([post(1, '')]) + exportOf([post(2, '')])))).toEqual([1, 2]);
  });

  it('between elements is left out, and named once', async () => {
    const read = await readExport(exportOf([post(1, ''), 'Notice: x\n</p>y\n', post(2, '')]));
    expect([ids(read), read.notices.map(({ code }) => code)]).toEqual([[1, 2], ['stray_text']]);
  });
});

describe('a CDATA section', () => {
  const nested = 'a <script>//<![CDATA[\nlet x;\n//]]></script> b ]]> c\n\t<item>\n</item>';
  it('that contains its own end mark is read up to the end of its element', async () => {
    const raw = item({ 'wp:post_id': '1', 'content:encoded': `<![CDATA[${nested}]]>` });
    const read = await readExport(exportOf([raw, post(2, 'second')]));
    expect(contents(read)).toEqual([nested, 'second']);
    expect(codesOf(read).map((code) => code.split(':')[0])).toEqual(['cdata_end_in_text']);
  });

  it('without an end ends with its element, wherever it stands', async () => {
    const open = (field: string) =>
      post(1, 'text', postmeta('k', 'v')).replace(new RegExp(`]]></${field}>`), `</${field}>`);
    for (const field of ['title', 'content:encoded', 'wp:status', 'wp:post_type', 'wp:meta_value']) {
      const read = await readExport(exportOf([open(field), post(2, 'second'), post(3, 'third')]));
      expect([field, contents(read)]).toEqual([field, ['text', 'second', 'third']]);
      expect(ofKind(read, 'item')[0]).toMatchObject({
        title: 'Item 1',
        type: 'post',
        meta: [{ key: 'k', value: 'v' }],
      });
      expect(read.notices.map(({ code }) => code)).toEqual(['cdata_end_missing']);
    }
  });

  it('without an end in the last item of a file does not make that item get lost', async () => {
    const last = post(2, 'second', postmeta('k', 'v')).replace(']]></wp:meta_value>', '</wp:meta_value>');
    expect(contents(await readExport(exportOf([post(1, 'first'), last])))).toEqual(['first', 'second']);
  });

  it('may contain items if it has an end, in a long file too', async () => {
    const content = `${'<item>\n\t<item>\n</item>\n<wp:post_type>x</wp:post_type>\n]]>'.repeat(20_000)}`;
    const read = await readExport(exportOf([post(1, content), post(2, 'second')]));
    expect(contents(read)[0] === content).toBe(true);
    expect([ids(read), read.notices]).toEqual([[1, 2], []]);
  });
});

describe('an item that cannot be read', () => {
  it.each([
    ['a tag without an end', (text: string) => text.replace('</wp:post_id>', '</wp:post_')],
    ['its end tag damaged', (text: string) => text.replace('</item>', '</itxm>')],
    ['its start tag damaged', (text: string) => text.replace('<item>', '<itxm>')],
    ['no end', (text: string) => text.replace('</item>', '')],
  ])('with %s is named with its line and id, and takes no other with it', async (_, damage) => {
    const read = await readExport(exportOf([post(1, 'a'), damage(post(2, 'b')), post(3, 'c'), post(4, 'd')]));
    expect(ids(read)).toEqual([1, 3, 4]);
    expect(read.notices[0]?.code).toMatch(/item_unreadable|element_unreadable/);
  });

  it('is named with its title', async () => {
    const read = await readExport(
      exportOf([post(1, 'a'), post(2, 'b').replace('</wp:status>', '</status>'), post(3, 'c')]),
    );
    expect(read.notices).toEqual([
      {
        ...{ what: 'skipped', code: 'item_unreadable', message: 'item 2, “Item 2”: this item could not be read' },
        place: { file: 'part-1.xml', line: 36 },
      },
    ]);
  });

  it('is one where the file ends: all before it are given', async () => {
    const text = exportOf([post(1, 'a'), post(2, 'b\n\t<item>\n</item> c'), post(3, 'c', postmeta('k', 'v'))]);
    const ends = [1, 2, 3].map((id) => text.indexOf(`</item>\n\t<item>\n\t\t<title><![CDATA[Item ${id + 1}`) + 7);
    const whole = (await readExport(text)).records;
    ends[2] = text.lastIndexOf('</item>') + 7;
    for (let cut = text.indexOf('<channel>') + 9; cut < text.indexOf('</rss>') + 6; cut += 3) {
      const read = await readExport(text.slice(0, cut));
      const count = ends.filter((end) => end <= cut).length;
      expect([cut, ids(read)]).toEqual([cut, [1, 2, 3].slice(0, count)]);
      if (count > 0) expect(read.records).toEqual(whole.slice(0, count + 1));
      expect([cut, read.notices.map(({ code }) => code)]).toEqual([cut, ['truncated']]);
    }
  });

  it('is one in a compressed file that is cut', async () => {
    const random = Array.from({ length: 3000 }, (_, n) => post(n + 1, String(Math.sin(n))));
    const packed = gzipSync(exportOf(random));
    const read = await readExport(packed.subarray(0, packed.length / 2));
    expect(ids(read).length).toBeGreaterThan(500);
    expect(read.notices.map(({ code }) => code)).toEqual(['gzip_damaged', 'truncated']);
  });

  it('is one that never ends: it is given up when it is too long, and what follows is read', async () => {
    const open = post(1, 'a').replace(
      '<content:encoded><![CDATA[a]]></content:encoded>',
      `<content:encoded>${'x'.repeat(34_000_000)}`,
    );
    const read = await readExport(exportOf([open, post(2, 'b')]));
    expect(ids(read)).toEqual([2]);
    expect(cdata('')).toBe('<![CDATA[]]>');
  });
});
