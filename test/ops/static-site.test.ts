import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressesIn } from '#text/relink.ts';
import { carryOut } from '../support/place.ts';
import { SITE, type Site, startSite } from '../support/site.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { pngOf, uploadBody } from '../support/uploads.ts';

let site: Site;
let picture: string;
beforeAll(async () => {
  site = await startSite();
  const file = { name: 'seen.png', type: 'image/png', bytes: pngOf(400, 300) };
  const media = (await uploadBody(site, 'author', file)).body;
  picture = media.source_url;
  const hidden = (await uploadBody(site, 'author', { ...file, name: 'own.png' }, { query: 'status=private' })).body;
  const tags = [await site.make('editor', '/tags', { name: 'Ton 陶' })];
  const top = await site.make('editor', '/pages', { title: 'Top', content: 'x', status: 'publish' });
  await site.make('editor', '/pages', { title: 'Below', content: 'x', status: 'publish', parent: top });
  for (let n = 1; n <= 12; n++) {
    const content = `<p><a href="${SITE}/top/below/#part">On</a> <a href="${SITE}/nowhere/">off</a> <a href="https://elsewhere.example/">away</a> <img src="${picture}" alt=""> <img src="${hidden.source_url}" alt=""></p>`;
    await site.make('editor', '/posts', {
      title: `Gruss ${n}`,
      content,
      tags,
      status: 'publish',
      featured_media: media.id,
    });
  }
  await site.make('editor', '/posts', { title: 'Locked', content: 'hidden words', password: 'p', status: 'publish' });
  await site.make('editor', '/posts', { title: 'Draft', content: 'unseen words' });
});
afterAll(() => site.close());

const written = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => join(one.parentPath, one.name));

async function exported(more: Record<string, string> = {}): Promise<string> {
  const pages = join(temporaryDirectory(), 'pages');
  expect(await carryOut(site.directory, 'export', { pages, ...more })).toMatchObject({ kind: 'done' });
  return pages;
}

describe('an export of pages as files', () => {
  it('has a file at each former address that leads on', async () => {
    const id = await site.make('editor', '/pages', { title: 'Once', content: 'x', status: 'publish' });
    await site.make('editor', '/pages', { title: 'Inner', content: 'x', status: 'publish', parent: id });
    const tag = await site.make('editor', '/tags', { name: 'Olden' });
    await site.make('editor', '/posts', { title: 'Tagged', content: 'x', status: 'publish', tags: [tag] });
    await site.call('editor', `PUT /pages/${id}`, { slug: 'now' });
    await site.call('editor', `PUT /tags/${tag}`, { slug: 'newer' });
    const folder = await exported();
    const read = (path: string) => readFileSync(join(folder, path, 'index.html'), 'utf8');
    expect(read('once')).toContain('url=../now/index.html');
    expect(read('once/inner')).toContain('url=../../now/inner/index.html');
    expect(read('tag/olden')).toContain('url=../newer/index.html');
    for (const path of [`/pages/${id}?force=true`, `/tags/${tag}?force=true`])
      await site.call('editor', `DELETE ${path}`);
    const after = await exported();
    expect(existsSync(join(after, 'once/index.html'))).toBe(false);
    expect(readFileSync(join(after, 'once/inner/index.html'), 'utf8')).toContain('url=../../inner/index.html');
  });

  it('contains all public pages, with links to existing files', async () => {
    const folder = await exported();
    const names = written(folder).map((name) => name.slice(folder.length + 1));
    for (const name of [
      ...['index.html', 'page/2/index.html', 'top/index.html', 'top/below/index.html', 'gruss-1/index.html'],
      ...['tag/ton-陶/index.html', 'author/editor/index.html', 'locked/index.html', 'feed/index.xml'],
      ...['feed/atom/index.xml', 'sitemap.xml', 'sitemap-posts-1.xml', 'robots.txt', picture.slice(SITE.length + 1)],
    ])
      expect([name, names.includes(name)]).toEqual([name, true]);
    expect(names.filter((name) => /draft|own|nowhere/.test(name))).toEqual([]);
    let links = 0;
    for (const name of names.filter((one) => one.endsWith('.html'))) {
      const text = readFileSync(join(folder, name), 'utf8');
      expect([name, /hidden words|unseen words|<form/.test(text)]).toEqual([name, false]);
      for (const address of addressesIn(text)) {
        if (/^(?:https?:|#)/.test(address)) continue;
        const [path = ''] = decodeURIComponent(address).split('#');
        const target = resolve(join(folder, dirname(name)), path);
        expect([name, address, existsSync(target) && statSync(target).isFile()]).toEqual([name, address, true]);
        links += 1;
      }
    }
    expect(links).toBeGreaterThan(100);
    const page = readFileSync(join(folder, 'gruss-1/index.html'), 'utf8');
    expect(page).toContain(
      '<a href="../top/below/index.html#part">On</a> <a>off</a> <a href="https://elsewhere.example/">',
    );
    expect(page).toContain(`<link rel="canonical" href="${SITE}/gruss-1/">`);
  });

  it('uses a given address instead of the site’s, also in feeds', async () => {
    const folder = await exported({ address: 'https://static.example/site/' });
    const names = written(folder);
    const others = names.filter(
      (name) => /\.(?:html|xml|txt)$/.test(name) && readFileSync(name, 'utf8').includes(`${SITE}/gruss`),
    );
    expect(others).toEqual([]);
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('href="https://static.example/site/top/"');
    expect(readFileSync(join(folder, 'sitemap.xml'), 'utf8')).toContain(
      '<loc>https://static.example/site/sitemap-pages',
    );
  });

  it('is refused for a folder that is not empty, and without exactly one kind of target', async () => {
    const folder = await exported();
    const again = await carryOut(site.directory, 'export', { pages: folder });
    expect(again).toMatchObject({ kind: 'refused', code: 'folder_not_empty' });
    await expect(carryOut(site.directory, 'export', {})).rejects.toThrow(
      'a file, --pages, --wxr or --folder is needed',
    );
    await expect(carryOut(site.directory, 'export', { pages: 'x', file: 'y' })).rejects.toThrow('name one of a file');
  });
});
