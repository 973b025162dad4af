import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mediaOf } from '../support/media-site.ts';
import { type Site, startSite } from '../support/site.ts';

const FRONT = 'https://www.front.example';
const STORE = 'http://site.example';

let site: Site;
beforeAll(async () => {
  site = await startSite({ env: { FRONT_URL: FRONT, MENU_LOCATIONS: 'header=Header' } });
});
afterAll(() => site.close());

const { image } = mediaOf(() => site);
const get = async (path: string) => (await site.call('anonymous', `GET ${path}`)).body;
const text = async (path: string) => (await fetch(`http://127.0.0.1:${site.port}${path}`)).text();
const publish = (title: string, more: object = {}) =>
  site.make('administrator', '/posts', { title, status: 'publish', content: title, ...more });

describe('with FRONT_URL', () => {
  it('links to pages lead to the front end, and the interface and files stay at the store', async () => {
    const id = await publish('Sea');
    const post = await get(`/posts/${id}?_embed`);
    expect(post.link).toBe(`${FRONT}/sea/`);
    expect(post.guid.rendered).toBe(`${STORE}/?p=${id}`);
    expect(post._links.self[0].href).toBe(`${STORE}/cms-json/cms/v2/posts/${id}`);
    expect(post._embedded.author[0].link).toMatch(/^https:\/\/www\.front\.example\/author\//);
    expect(post._embedded['cms:term'][0][0].link).toBe(`${FRONT}/category/uncategorized/`);
    const file = await get(`/media/${await image('administrator')}`);
    expect(file.source_url.startsWith(`${STORE}/uploads/`)).toBe(true);
    expect(file.link.startsWith(FRONT)).toBe(true);
    expect(await get('/cms-json/')).toMatchObject({ url: STORE, home: FRONT });
  });

  it('feeds, the sitemap, menus and oEmbed name pages of the front end', async () => {
    const id = await publish('Boat');
    const feed = await text('/feed/');
    expect(feed).toContain(`<link>${FRONT}/boat/</link>`);
    expect(feed).toContain(`${STORE}/feed/`);
    expect(await text('/sitemap.xml')).toContain(`<loc>${STORE}/sitemap-posts-1.xml</loc>`);
    expect(await text('/sitemap-posts-1.xml')).toContain(`<loc>${FRONT}/boat/</loc>`);
    expect(await text('/robots.txt')).toContain(`Sitemap: ${STORE}/sitemap.xml`);
    const menu = await site.make('administrator', '/menus', { name: 'Main', locations: ['header'] });
    const item = {
      menus: menu,
      type: 'post_type',
      object: 'post',
      object_id: id,
      title: '',
      url: '',
      status: 'publish',
    };
    await site.make('administrator', '/menu-items', item);
    expect(await get('/menu-items')).toMatchObject([{ url: `${FRONT}/boat/` }]);
    for (const base of [FRONT, STORE]) {
      const card = await get(`/cms-json/oembed/1.0/embed?url=${encodeURIComponent(`${base}/boat/`)}`);
      expect(card.html).toContain(`href="${FRONT}/boat/"`);
      expect(card.html).toContain(`src="${STORE}/boat/embed/`);
    }
  });

  it('resolve knows addresses of both, and names the right one', async () => {
    const id = await publish('Harbour');
    const resolve = (url: string) => get(`/resolve?url=${encodeURIComponent(url)}`);
    expect(await resolve(`${FRONT}/harbour/`)).toMatchObject({ id, url: `${FRONT}/harbour/`, redirect: null });
    expect(await resolve(`${STORE}/harbour/`)).toMatchObject({ id, redirect: `${FRONT}/harbour/` });
    expect(await get('/resolve?path=/harbour/')).toMatchObject({ id, redirect: null });
    await site.call('administrator', `PATCH /posts/${id}`, { slug: 'port' });
    expect(await get('/resolve?path=/harbour/')).toMatchObject({ id, redirect: `${FRONT}/port/` });
  });

  it('the pages of the store still answer where it is', async () => {
    await publish('Mole');
    const page = await text('/mole/');
    expect(page).toContain('<h1>Mole</h1>');
    expect(page).toContain(`<link rel="canonical" href="${FRONT}/mole/">`);
    expect(page).toContain('action="/" method="get"');
    expect(page).toContain(`href="${STORE}/feed/"`);
  });
});
