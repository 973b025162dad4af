import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFolderSource } from '../src/folder.ts';
import { parseFolderMapping } from '../src/folder-mapping.ts';
import type { SourceNotice } from '../src/records.ts';
import { folderOf, readFolder } from './folders.ts';

const named = (notices: readonly SourceNotice[]) =>
  notices.map(({ code, place: { file, line } }) => [code, `${file}:${line}`]);
const text = (front: string, body = 'Text') => `---\n${front}\n---\n${body}`;

describe('dates', () => {
  it('that cannot be read are named; what has none is of the day in the name of its file, or of the time of the file', async () => {
    const folder = folderOf({
      'posts/2020-02-03-named.md': text('title: A\ndate: yesterday'),
      'posts/file.md': text('title: B\ndate: 08/09/2021'),
      'posts/draft.md': text('title: C\ndraft: true', '![p](/p.png)'),
      'p.png': 'PNG',
    });
    for (const path of ['posts/file.md', 'posts/draft.md', 'p.png'])
      utimesSync(join(folder, path), 0, Date.UTC(2019, 4, 6, 7, 8, 9) / 1000);
    const { item, notices } = await readFolder(folder);
    const moment = '2019-05-06T07:08:09';
    expect(item('posts/2020-02-03-named.md')).toMatchObject({ date: '2020-02-03T00:00:00', status: 'publish' });
    expect(item('posts/file.md')).toMatchObject({ date: moment, dateGmt: moment, status: 'publish' });
    expect(item('posts/draft.md')).toMatchObject({ date: moment, dateGmt: null, status: 'draft' });
    expect(item('p.png')).toMatchObject({ date: moment, dateGmt: moment });
    expect(named(notices)).toEqual([
      ['date_unreadable', 'posts/2020-02-03-named.md:3'],
      ['date_unreadable', 'posts/file.md:3'],
    ]);
  });

  it('without a zone are in that of the site', async () => {
    const posts = {
      '_posts/2023-01-02-day.md': text('title: A'),
      '_posts/2023-07-02-time.md': text('title: B\ndate: 2023-07-02 23:30:00'),
      '_posts/2023-02-02-zone.md': text('title: C\ndate: 2023-02-02 23:30:00 +0200'),
    };
    const { item } = await readFolder(folderOf({ '_config.yml': 'timezone: Europe/Berlin', ...posts }));
    expect(Object.keys(posts).map((path) => [item(path).date, item(path).dateGmt])).toEqual([
      ['2023-01-02T00:00:00', '2023-01-01T23:00:00'],
      ['2023-07-02T23:30:00', '2023-07-02T21:30:00'],
      ['2023-02-02T22:30:00', '2023-02-02T21:30:00'],
    ]);
    const hugo = { 'hugo.toml': 'timeZone = "America/New_York"', 'content/posts/a.md': text('date: 2023-07-02') };
    expect((await readFolder(folderOf(hugo))).item('content/posts/a.md').dateGmt).toBe('2023-07-02T04:00:00');
    const wrong = { '_config.yml': 'timezone: Nowhere/None', '_posts/2023-01-02-a.md': text('title: A') };
    expect((await readFolder(folderOf(wrong))).item('_posts/2023-01-02-a.md').dateGmt).toBe('2023-01-02T00:00:00');
  });

  it('say when a text appears and when it is gone', async () => {
    const { item, notices } = await readFolder(
      folderOf({
        'hugo.toml': '',
        'content/posts/soon.md': text('date: 2020-01-01\npublishDate: 2030-01-01'),
        'content/posts/past.md': text('date: 2020-01-01\npublishDate: 2021-01-01'),
        'content/posts/gone.md': text('date: 2020-01-01\nexpiryDate: 2021-01-01'),
        'content/posts/going.md': text('date: 2020-01-01\nexpiryDate: 2031-01-01'),
      }),
    );
    const found = ['soon', 'past', 'gone', 'going'].map((name) => item(`content/posts/${name}.md`));
    expect(found.map(({ status, date }) => [status, date?.slice(0, 4)])).toEqual([
      ['future', '2030'],
      ['publish', '2020'],
      ['draft', '2020'],
      ['publish', '2020'],
    ]);
    expect(named(notices)).toEqual([['expired', 'content/posts/gone.md:0']]);
  });
});

describe('what generators have beside Markdown', () => {
  it('becomes what it means, or is named with its line: Hugo', async () => {
    const body = [
      'A {{< ref "two.md#end" >}} {{< relref path="/posts/two" >}} {{< ref "none" >}}',
      '{{< youtube dQw4w9WgXcQ >}}\n{{< vimeo id="146022717" >}}',
      '{{< highlight go >}}\na[0]\n{{< /highlight >}}',
      '{{% notice tip %}}x{{% /notice %}} {{</* figure */>}}',
    ];
    const { item, notices } = await readFolder(
      folderOf({
        'hugo.toml': 'baseURL = "https://old.example/"',
        'content/posts/one/index.md': text('title: One', body.join('\n\n')),
        'content/posts/two.md': text('title: Two'),
      }),
    );
    const { content } = item('content/posts/one/index.md');
    expect(content).toContain('https://old.example/posts/two/#end');
    expect(content.split('https://old.example/posts/two/')).toHaveLength(5);
    expect(content).toContain('\nhttps://www.youtube.com/watch?v=dQw4w9WgXcQ\n</div>');
    expect(content).toContain('<!-- wp:embed {"url":"https://vimeo.com/146022717"');
    expect(content).toContain('<code>a&#91;0]</code>');
    expect(notices.map(({ message, place }) => [place.line, /\{.*\}/.exec(message)?.[0]])).toEqual([
      [4, '{{< ref "none" >}}'],
      [13, '{{% notice tip %}}'],
      [13, '{{% /notice %}}'],
    ]);
  });

  it('becomes what it means, or is named with its line: Jekyll', async () => {
    const body = [
      '{{ site.title }} [a]({{ site.baseurl }}{% post_url 2023-01-01-a %}) [b]({% link about.md %})',
      '{% raw %}{{ kept }}{% endraw %}',
      '{% include foo.html %} {{ page.author }}\n{: .note}',
    ];
    const { item, notices } = await readFolder(
      folderOf({
        '_config.yml': 'title: Bread\nurl: https://old.example\npermalink: pretty',
        '_posts/2023-01-01-a.md': text('title: A', body.join('\n\n')),
        'about.md': text('title: About'),
      }),
    );
    const { content } = item('_posts/2023-01-01-a.md');
    expect(content).toContain(
      '<p>Bread <a href="https://old.example/2023/01/01/a/">a</a> <a href="https://old.example/about/">b</a></p>',
    );
    expect(content).toContain('<p>{{ kept }}</p>');
    expect(named(notices)).toEqual([8, 8, 9].map((line) => ['not_translated', `_posts/2023-01-01-a.md:${line}`]));
  });

  it('footnotes are those of editors', async () => {
    const body =
      'One[^b], two[^a], one[^b] and [^none], `[^a]`.\n\n[^a]: The *first*\n  note, [two](two.md).\n[^b]: The second.\n\n[^long]: More\n\n    than one.';
    const { item, notices } = await readFolder(folderOf({ 'posts/one.md': body, 'posts/two.md': 'Two' }));
    const { content, footnotes } = item('posts/one.md');
    const notes: { id: string; content: string }[] = JSON.parse(footnotes);
    expect(notes.map((one) => one.content)).toEqual([
      'The second.',
      'The <em>first</em> note, <a href="https://folder.invalid/posts/two/">two</a>.',
    ]);
    const [second, first] = notes.map(({ id }) => id);
    const mark = (id = '', number = 0, own = ` id="${id}-link"`) =>
      `<sup data-fn="${id}" class="fn"><a href="#${id}"${own}>${number}</a></sup>`;
    expect(content).toContain(
      `<p>One${mark(second, 1)}, two${mark(first, 2)}, one${mark(second, 1, '')} and [^none], <code>[^a]</code>.</p>`,
    );
    expect(content.endsWith('<!-- wp:footnotes /-->')).toBe(true);
    expect(named(notices)).toEqual([7, 1].map((line) => ['not_translated', `posts/one.md:${line}`]));
  });
});

describe('links', () => {
  it('lead to texts and files however they are written; what leads nowhere is named', async () => {
    const links = ['/b/posts/two/', '/posts/two', '../two/#a', 'two.md', 'https://old.example/b/posts/two/index.html'];
    const files = ['/img/a%20(1).png', '/b/img/a%20(1).png', 'https://old.example/b/img/a%20(1).png'];
    const fine = ['/', '/b/tags/x/', '/posts/', '/b/old/two', 'https://other.example/none', 'mailto:a@b.example', '#x'];
    const body = [...links, ...files, ...fine, 'none.md', '/img/none.png'].map((one) => `- [x](<${one}>)`).join('\n');
    const { item, notices } = await readFolder(
      folderOf({
        'hugo.toml': 'baseURL = "https://old.example/b/"',
        'content/posts/one.md': text('title: One\nfeatured_image: lost.png', body),
        'content/posts/two.md': text('title: Two\naliases: [/old/two/, beside, "https://old.example/b/whole"]'),
        'static/img/a (1).png': 'PNG',
      }),
    );
    const found = [...item('content/posts/one.md').content.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(found.slice(0, links.length)).toEqual(
      links.map((one) => `https://old.example/b/posts/two/${one.endsWith('#a') ? '#a' : ''}`),
    );
    expect(new Set(found.slice(links.length, links.length + 3))).toEqual(
      new Set(['https://old.example/b/img/a%20%281%29.png']),
    );
    expect(found.slice(links.length + 3)).toEqual([...fine, 'none.md', '/img/none.png']);
    expect(notices.map(({ code, message, place }) => [code, message.split(' ')[2], place.line])).toEqual([
      ['leads_nowhere', 'none.md,', 20],
      ['leads_nowhere', '/img/none.png,', 21],
      ['leads_nowhere', 'lost.png,', 3],
    ]);
    expect(item('static/img/a (1).png').file?.path).toBe('img/a (1).png');
    expect(item('content/posts/two.md').meta).toEqual([
      { key: 'aliases', value: '["/b/old/two/","/b/posts/beside","/b/whole"]' },
    ]);
  });
});

it('keeps its address when another text has it as an alias, which is named', async () => {
  const { item, notices } = await readFolder(
    folderOf({
      'hugo.toml': 'baseURL = "https://old.example/"',
      'content/posts/one.md': text('title: One'),
      'content/posts/two.md': text('title: Two\naliases: [/posts/one/, /posts/two/, /old/]'),
    }),
  );
  expect(item('content/posts/two.md').meta).toEqual([{ key: 'aliases', value: '["/posts/two/","/old/"]' }]);
  expect(notices.map(({ code, message }) => [code, message])).toEqual([
    ['alias_taken', expect.stringContaining('/posts/one/')],
  ]);
});

describe('a file', () => {
  it('that is no text is named, and a page that only lists others is none', async () => {
    const { items, notices } = await readFolder(
      folderOf({
        'hugo.toml': '',
        'content/_index.md': text('title: Home', ''),
        'content/posts/_index.md': text('title: Posts', '\n'),
        'content/about/_index.md': text('title: About', ''),
        'content/page.html': '<h1>Page</h1>',
        'content/posts/one.md': text('title: One'),
      }),
    );
    expect([...items.keys()]).toEqual(['content/about/_index.md', 'content/posts/one.md']);
    expect(named(notices)).toEqual([['no_front_matter', 'content/page.html:0']]);
  });

  it('has to be there', async () => {
    const opened = openFolderSource(folderOf({ 'a.png': 'PNG' }));
    await expect(opened).rejects.toMatchObject({
      code: 'nothing_found',
      message: expect.stringMatching(/\.md, .*Ghost.*site\.json/),
    });
  });
});

it('a mapping names their words by ours, one or several', () => {
  const mapping = parseFolderMapping('fields: { date: published, excerpt: [tagline, subtitle], author: by }', 'm.yaml');
  expect(mapping.fields).toEqual({ date: ['published'], excerpt: ['tagline', 'subtitle'], authors: ['by'] });
});
