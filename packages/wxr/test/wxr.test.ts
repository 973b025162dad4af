import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { serialize } from 'php-serialize';
import { describe, expect, it } from 'vitest';
import type { SourceFile } from '../src/records.ts';
import { openWxr } from '../src/wxr.ts';
import { cdata, codesOf, exportOf, item, ofKind, post, postmeta, readExport, siteHead, withFiles } from './exports.ts';

const author = `	<wp:author><wp:author_id>4</wp:author_id><wp:author_login>${cdata('mira')}</wp:author_login><wp:author_email>${cdata('mira@example.com')}</wp:author_email><wp:author_display_name>${cdata('Mira &amp; Co')}</wp:author_display_name><wp:author_first_name>${cdata('Mira')}</wp:author_first_name><wp:author_last_name>${cdata('')}</wp:author_last_name></wp:author>\n`;
const category = `	<wp:category>
		<wp:term_id>12</wp:term_id>
		<wp:category_nicename>${cdata('sea-air')}</wp:category_nicename>
		<wp:category_parent>${cdata('nature')}</wp:category_parent>
		<wp:cat_name>${cdata('Sea &amp; air')}</wp:cat_name>
		<wp:category_description>${cdata('A &amp; B')}</wp:category_description>
		<wp:termmeta><wp:meta_key>${cdata('order')}</wp:meta_key><wp:meta_value>${cdata('3')}</wp:meta_value></wp:termmeta>
	</wp:category>
`;
const tag = `	<wp:tag><wp:term_id>13</wp:term_id><wp:tag_slug>${cdata('007')}</wp:tag_slug><wp:tag_name>${cdata('007')}</wp:tag_name></wp:tag>\n`;
const term = (id: number, taxonomy: string, slug: string, name: string) =>
  `	<wp:term><wp:term_id>${id}</wp:term_id><wp:term_taxonomy>${cdata(taxonomy)}</wp:term_taxonomy><wp:term_slug>${cdata(slug)}</wp:term_slug><wp:term_parent>${cdata('')}</wp:term_parent><wp:term_name>${cdata(name)}</wp:term_name></wp:term>\n`;

async function only(text: string) {
  const [found, ...others] = ofKind(await readExport(exportOf([text])), 'item');
  expect(others).toEqual([]);
  if (found === undefined) throw new Error('there is no item');
  return found;
}

describe('an export', () => {
  it('gives the site, authors and terms first, each once, though terms stand twice', async () => {
    const twice = [term(12, 'category', 'sea-air', 'Sea &amp; air'), term(13, 'post_tag', '007', '007')];
    const read = await readExport(
      exportOf([author, category, tag, ...twice, term(20, 'nav_menu', 'top', 'Top'), post(1, 'x')]),
    );
    expect(read.records.map(({ kind }) => kind)).toEqual(['site', 'author', 'term', 'term', 'term', 'item']);
    expect(ofKind(read, 'site')).toEqual([
      {
        ...{ kind: 'site', generator: 'Quill/6.4', title: 'Harbour & Tides', description: 'Notes from the quay' },
        ...{
          language: 'en-GB',
          url: 'https://example.com',
          baseUrl: 'https://example.com',
          timezone: '',
          settings: {},
        },
      },
    ]);
    expect(ofKind(read, 'author')[0]).toMatchObject({
      id: 4,
      login: 'mira',
      displayName: 'Mira & Co',
      firstName: 'Mira',
    });
    expect(ofKind(read, 'term')).toMatchObject([
      {
        ...{ id: 12, taxonomy: 'category', slug: 'sea-air', name: 'Sea & air', description: 'A &amp; B' },
        ...{ parent: { name: 'nature' }, meta: [{ key: 'order', value: '3' }] },
      },
      { id: 13, taxonomy: 'post_tag', slug: '007', name: '007', parent: null },
      { id: 20, taxonomy: 'nav_menu', slug: 'top' },
    ]);
    expect(read.notices).toEqual([]);
  });

  it('gives items with their authors, terms, format and comments, in its order', async () => {
    const more = `		<category domain="category" nicename="sea-air">${cdata('Sea &amp; air')}</category>
		<category domain="post_format" nicename="post-format-aside">${cdata('Aside')}</category>
${postmeta('_wp_page_template', 'wide.php')}${postmeta('_thumbnail_id', '77')}${postmeta('footnotes', '[]')}${postmeta('mood', 'calm')}
		<wp:comment>
			<wp:comment_id>9</wp:comment_id>
			<wp:comment_author>${cdata('Ann &amp; Bo')}</wp:comment_author>
			<wp:comment_author_IP>${cdata('192.0.2.7')}</wp:comment_author_IP>
			<wp:comment_date_gmt>${cdata('2024-03-02 08:00:00')}</wp:comment_date_gmt>
			<wp:comment_content>${cdata('Nice.')}</wp:comment_content>
			<wp:comment_approved>${cdata('0')}</wp:comment_approved>
			<wp:comment_type></wp:comment_type>
			<wp:comment_parent>3</wp:comment_parent>
			<wp:comment_user_id>4</wp:comment_user_id>
			<wp:commentmeta><wp:meta_key>${cdata('rating')}</wp:meta_key><wp:meta_value>${cdata('5')}</wp:meta_value></wp:commentmeta>
		</wp:comment>
`;
    const fields = { 'wp:post_id': '30', 'wp:post_name': cdata('007'), 'wp:is_sticky': '1', 'wp:menu_order': '-2' };
    const read = await readExport(exportOf([author, item(fields, more), post(2, 'second')]));
    const [first, second] = ofKind(read, 'item');
    expect(first).toMatchObject({
      ...{ id: 30, slug: '007', sticky: true, menuOrder: -2, author: { id: 4, name: 'mira' }, format: 'aside' },
      ...{ date: '2024-03-01T10:30:00', dateGmt: '2024-03-01T09:30:00', modified: null, modifiedGmt: null },
      ...{ template: 'wide.php', featured: 77, footnotes: '[]', meta: [{ key: 'mood', value: 'calm' }], file: null },
      terms: [{ taxonomy: 'category', name: 'sea-air', label: 'Sea & air' }],
    });
    expect(ofKind(read, 'comment')).toMatchObject([
      {
        ...{ id: 9, of: 30, type: 'comment', status: 'hold', parent: 3, name: 'Ann & Bo', ip: '192.0.2.7' },
        ...{ author: { id: 4, name: 'mira' }, dateGmt: '2024-03-02T08:00:00', meta: [{ key: 'rating', value: '5' }] },
      },
    ]);
    expect(second?.id).toBe(2);
    expect(read.notices).toEqual([]);
    expect(read.lines[2]).toBe(22);
  });

  it('keeps texts byte for byte: line ends, references, and markup of exports in CDATA', async () => {
    const content =
      'one\r\ntwo\rthree &#8217; &amp; \u2028 ]]> \n\t<item>\n<title>no</title></item>\n<!-- wp:more --> 007';
    expect((await only(post(1, content))).content).toBe(content);
    const escaped = item({ 'wp:post_id': '1', 'content:encoded': 'a\r\nb &lt;p&gt; &#13;c' });
    expect((await only(escaped)).content).toBe('a\r\nb <p> \rc');
  });

  it('has no date where drafts have zeros, and takes that of the feed where there is none', async () => {
    const zero = cdata('0000-00-00 00:00:00');
    const draft = { 'wp:post_id': '5', pubDate: 'Mon, 30 Nov -0001 00:00:00 +0000', 'wp:post_date_gmt': zero };
    expect(await only(item({ ...draft, 'wp:post_modified_gmt': zero }))).toMatchObject({
      ...{ dateGmt: null, modifiedGmt: null, date: '2024-03-01T10:30:00' },
    });
    const old = post(5, '').replace(/\t\t<wp:post_date_gmt>.*\n/, '');
    expect((await only(old)).dateGmt).toBe('2024-03-01T09:30:00');
    expect((await only(old.replace(/<pubDate>.*</, '<pubDate>Mon, 30 Nov -0001 00:00:00 +0000<'))).dateGmt).toBeNull();
  });

  it('has no date where a text looks like one that no calendar has', async () => {
    const dates = ['2020-13-45 00:00:00', '2021-02-30 10:00:00'].map(async (date) => {
      return (await only(item({ 'wp:post_id': '5', 'wp:post_date': cdata(date) }))).date;
    });
    expect(await Promise.all(dates)).toEqual([null, null]);
  });

  it('names a date that no calendar has, by its line', async () => {
    const bad = item({ 'wp:post_id': '5', 'wp:post_date': cdata('2021-02-30 10:00:00') });
    const zero = item({ 'wp:post_id': '6', 'wp:post_date': cdata('0000-00-00 00:00:00') });
    const { notices } = await readExport(exportOf([bad, zero]));
    expect(notices.map(({ code, message }) => [code, message.split(':').slice(0, 2).join(':')])).toEqual([
      ['impossible_date', '<wp:post_date>'],
    ]);
  });

  it('in version 1.0, without authors and ids of terms, gives what there is', async () => {
    const head = siteHead.replace('1.2', '1.0');
    const old =
      '<wp:category><wp:category_nicename>news</wp:category_nicename><wp:cat_name><![CDATA[News]]></wp:cat_name></wp:category>';
    const more = `<category><![CDATA[News]]></category><category domain="category" nicename="news"><![CDATA[News]]></category><category domain="tag"><![CDATA[Boat]]></category><category domain="tag" nicename="boat"><![CDATA[Boat]]></category>`;
    const read = await readExport(exportOf([old, item({ 'wp:post_id': '1' }, more)], { head, version: '1.0' }));
    expect(ofKind(read, 'term')).toMatchObject([{ id: 0, taxonomy: 'category', slug: 'news', name: 'News' }]);
    expect(ofKind(read, 'item')).toMatchObject([
      {
        ...{ author: { name: 'mira' }, sticky: false },
        terms: [
          { taxonomy: 'category', name: 'news', label: 'News' },
          { taxonomy: 'post_tag', name: 'boat', label: 'Boat' },
        ],
      },
    ]);
    expect(read.notices).toEqual([]);
  });

  it('is read whatever its prefixes are, and without declarations of them', async () => {
    const text = exportOf([author, post(1, 'text')]);
    const other = text
      .replaceAll('wp:', 'w:')
      .replace('xmlns:wp', 'xmlns:w')
      .replaceAll('content:encoded', 'c:encoded')
      .replace('xmlns:content', 'xmlns:c');
    expect((await readExport(other)).records).toEqual((await readExport(text)).records);
    const bare = await readExport(text.replace(/xmlns:\w+="[^"]*"/g, ''));
    expect(bare.records).toEqual((await readExport(text)).records);
    expect(bare.notices.map(({ code }) => code)).toEqual(['namespace_missing']);
  });

  it('takes no prefix for what it is elsewhere, and no indentation for a part of a text', async () => {
    const odd = '<wp:postmeta xmlns:wp="http://example.com/"><wp:meta_key>k</wp:meta_key></wp:postmeta>';
    const spaced = item(
      { 'wp:post_id': '\n\t7\n', 'wp:post_name': `\n${cdata(' a ')}\n`, 'wp:post_type': '\npage ' },
      odd,
    );
    expect(await only(spaced)).toMatchObject({ id: 7, slug: ' a ', type: 'page', meta: [] });
  });

  it('keeps simple elements of plugins as meta, and names others once', async () => {
    const more = '\t\t<plug:price>12</plug:price>\n\t\t<plug:box><plug:in>1</plug:in></plug:box>\n';
    const read = await readExport(exportOf([post(1, '', more), post(2, '', more)]));
    expect(ofKind(read, 'item').map(({ meta }) => meta)).toEqual([
      [{ key: 'xml:plug:price', value: '12' }],
      [{ key: 'xml:plug:price', value: '12' }],
    ]);
    expect(read.notices.map(({ message }) => message)).toEqual([expect.stringContaining('<plug:box>')]);
  });
});

describe('an attachment', () => {
  const sizes = { thumbnail: { file: 'pier-150x150.jpg', width: 150, height: 150 } };
  const plain = { width: 2560, height: 1707, file: '2019/03/pier-scaled.jpg', sizes, original_image: 'pier.jpg' };
  const attachment = (meta: string, url = 'https://example.com/wp-content/uploads/2019/03/pier-scaled.jpg') =>
    item({ 'wp:post_id': '8', 'wp:post_type': 'attachment', 'wp:attachment_url': cdata(url) }, meta);
  const data = (value: string) => postmeta('_wp_attachment_metadata', value);
  const path =
    postmeta('_wp_attached_file', '2019/03/pier-scaled.jpg') + postmeta('_wp_attachment_image_alt', 'A pier');
  const file = {
    ...{ path: '2019/03/pier-scaled.jpg', type: '', width: 2560, height: 1707, original: 'pier.jpg' },
    sizes: [{ name: 'thumbnail', file: 'pier-150x150.jpg', width: 150, height: 150 }],
  };

  it('has its measures and sizes as fields, which leave the meta if they say all of it', async () => {
    expect(await only(attachment(path + data(serialize(plain))))).toMatchObject({
      file: { ...file, altText: 'A pier' },
      meta: [],
    });
    const more = serialize({ ...plain, image_meta: { camera: 'Box' } });
    expect(await only(attachment(path + data(more)))).toMatchObject({
      ...{ file, meta: [{ key: '_wp_attachment_metadata', value: more }] },
    });
  });

  it('is read where serialised lengths are wrong, and keeps as meta what cannot be read', async () => {
    const wrong = serialize(plain).replaceAll(/s:(\d+):/g, (_, length) => `s:${Number(length) + 1}:`);
    expect((await only(attachment(data(wrong)))).file).toMatchObject({ width: 2560, sizes: file.sizes });
    expect(await only(attachment(data('a:1:{broken')))).toMatchObject({
      ...{ file: { width: 0, sizes: [] }, meta: [{ key: '_wp_attachment_metadata', value: 'a:1:{broken' }] },
    });
  });

  it.each([
    ['https://example.com/wp-content/uploads/2019/03/a%20b.jpg?x=1', '2019/03/a b.jpg'],
    ['https://example.com/files/2011/01/a.jpg', '2011/01/a.jpg'],
    ['https://example.com/wp-content/uploads/sites/3/2019/03/a.jpg', '2019/03/a.jpg'],
    ['https://example.com/a.jpg', ''],
  ])('without a path has that of its address %s', async (url, expected) => {
    expect((await only(attachment('', url))).file?.path).toBe(expected);
  });
});

describe('an item of a menu, pattern, template, style or revision', () => {
  it('of a menu has its target as fields', async () => {
    const meta = Object.entries({
      ...{ type: 'custom', menu_item_parent: '4', object_id: '31', object: 'custom', target: '_blank' },
      ...{ classes: serialize(['one', 'two']), xfn: 'me friend', url: 'https://example.com/x' },
    }).map(([key, value]) => postmeta(`_menu_item_${key}`, value));
    expect(await only(item({ 'wp:post_id': '3', 'wp:post_type': 'nav_menu_item' }, meta.join('')))).toMatchObject({
      menuItem: {
        ...{
          type: 'custom',
          object: 'custom',
          objectId: 31,
          parent: 4,
          url: 'https://example.com/x',
          target: '_blank',
        },
        ...{ classes: ['one', 'two'], xfn: ['me', 'friend'] },
      },
      meta: [],
    });
  });

  it('is a record of its kind', async () => {
    const theme = (name: string) => `<category domain="wp_theme" nicename="${name}">${cdata(name)}</category>`;
    const typed = (id: number, type: string, more: Record<string, string>, end = '') =>
      item({ 'wp:post_id': String(id), 'wp:post_type': cdata(type), ...more }, end);
    const area = `<category domain="wp_template_part_area" nicename="header">${cdata('header')}</category>`;
    const styles = JSON.stringify({ version: 3, settings: [], styles: { color: { text: '#111' } } });
    const read = await readExport(
      exportOf([
        typed(
          1,
          'wp_template_part',
          { 'wp:post_name': 'top', 'excerpt:encoded': cdata('About') },
          theme('tide') + area,
        ),
        typed(2, 'wp_global_styles', { 'content:encoded': cdata(styles), 'wp:post_name': 'wp-global-styles-tide' }),
        typed(3, 'wp_block', {}, postmeta('wp_pattern_sync_status', 'unsynced')),
        typed(4, 'revision', { 'wp:post_parent': '3', 'wp:post_name': '3-autosave-v1', 'wp:status': 'inherit' }),
        typed(5, 'wp_template', { 'wp:status': 'trash' }, theme('tide')),
      ]),
    );
    expect(read.records.slice(1)).toMatchObject([
      {
        kind: 'template',
        id: 1,
        type: 'wp_template_part',
        theme: 'tide',
        slug: 'top',
        description: 'About',
        area: 'header',
      },
      { kind: 'styles', id: 2, theme: 'tide', settings: {}, styles: { color: { text: '#111' } } },
      { kind: 'item', id: 3, syncStatus: 'unsynced', meta: [] },
      { kind: 'revision', id: 4, of: 3, isAutosave: true },
    ]);
    expect(read.notices.map(({ code }) => code)).toEqual(['template_not_published']);
  });
});

describe('several files', () => {
  it('are parts of one site, compressed or not, and are read as often as one likes', async () => {
    const parts = [
      exportOf([author, category, post(1, 'x')]),
      gzipSync(exportOf([author, category, tag, post(2, 'y')])),
    ];
    await withFiles(parts, async (files) => {
      const source = await openWxr(files);
      expect(source).toMatchObject({ name: 'part-1.xml', form: 'wxr', unit: 'bytes' });
      for (let time = 0; time < 2; time += 1) {
        const kinds: string[] = [];
        for await (const part of source.read()) if ('record' in part) kinds.push(part.record.kind);
        expect(kinds).toEqual(['site', 'author', 'term', 'item', 'term', 'item']);
        expect(source.done()).toBe(source.total);
      }
    });
  });

  it('give what was read before only if asked, and heads without texts', async () => {
    await withFiles([exportOf([post(1, 'x'), post(2, 'y')])], async (files) => {
      const source = await openWxr(files);
      const found: unknown[] = [];
      for await (const part of source.read({ heads: true, isKnown: ({ id }) => id === 1 }))
        if ('record' in part && part.record.kind === 'item') found.push([part.record.id, part.record.content]);
      expect(found).toEqual([[2, '']]);
    });
  });

  it('find the files of uploads in a folder, and nothing outside of it', async () => {
    await withFiles([exportOf([])], async (files, folder) => {
      const media = join(folder, 'media');
      await mkdir(join(media, 'wp-content/uploads/2019'), { recursive: true });
      await writeFile(join(media, 'wp-content/uploads/2019/a.jpg'), 'pixels');
      const source = await openWxr(files, { media });
      const fileOf = (path: string) => source.file({ path, url: '' } as SourceFile);
      const chunks: Buffer[] = [];
      for await (const chunk of (await fileOf('2019/a.jpg')) ?? []) chunks.push(chunk);
      expect(Buffer.concat(chunks).toString()).toBe('pixels');
      for (const path of [
        '../part-1.xml',
        '2019/../../../../part-1.xml',
        '2019\\..\\..\\x',
        '/etc/passwd',
        '',
        '2019/b.jpg',
        '2019',
      ])
        await expect(fileOf(path)).rejects.toMatchObject({ code: 'file_missing' });
      expect(await (await openWxr(files)).file({ path: '2019/a.jpg', url: '' } as SourceFile)).toBeNull();
    });
  });
});

describe('what is no export', () => {
  const feed =
    '<?xml version="1.0"?><rss version="2.0"><channel><title>x</title><item><title>y</title></item></channel></rss>';
  it.each([
    ['', 'empty_file'],
    [' \n ', 'empty_file'],
    ['<!DOCTYPE html><html><body><form>Log in</form></body></html>', 'web_page'],
    [feed, 'plain_feed'],
    ['<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"></feed>', 'other_xml'],
    ['{"posts":[]}', 'not_an_export'],
    ['PK\u0003\u0004rest', 'zip_file'],
    [exportOf([]).slice(0, 300), 'cut_file'],
  ])('%j is refused with what to do', async (text, code) => {
    await expect(readExport(text)).rejects.toMatchObject({
      name: 'SourceFault',
      code,
      message: expect.stringMatching(/: .*\.$/s),
    });
  });

  it('is refused before the first record, also where it is the second file, a folder or missing', async () => {
    await expect(readExport(exportOf([]), feed)).rejects.toMatchObject({ code: 'plain_feed' });
    await expect(openWxr(['/nonexistent.xml'])).rejects.toMatchObject({ code: 'file_unreadable' });
    await withFiles([], async (_, folder) => {
      await expect(openWxr([folder])).rejects.toMatchObject({ code: 'file_unreadable' });
    });
    await expect(openWxr([])).rejects.toMatchObject({ code: 'no_file' });
  });

  it('is named where it is an item without a type or an id', async () => {
    const read = await readExport(exportOf(['<item><title>x</title></item>\n', post(2, '')]));
    expect(ofKind(read, 'item').map(({ id }) => id)).toEqual([2]);
    expect(codesOf(read)).toEqual(['not_an_item:21']);
  });
});
