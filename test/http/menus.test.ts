import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '../support/history.ts';
import { mediaOf } from '../support/media-site.ts';
import { type As, BASE, SITE, type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite({ env: { MENU_LOCATIONS: 'header=The head,footer=The foot' } });
});
afterAll(() => site.close());

const { image } = mediaOf(() => site);
const admin = (request: string, body?: object) => site.call('administrator', request, body);
const get = async (path: string, as: As = 'administrator') => (await site.call(as, `GET ${path}`)).body;
let made = 0;
const newMenu = (more: object = {}) => {
  made += 1;
  return site.make('administrator', '/menus', { name: `Menu ${made}`, ...more });
};
const item = (menus: number, more: object = {}) =>
  site.make('administrator', '/menu-items', { title: 'Home', url: 'https://a.example/', menus, ...more });
const leading = (menus: number, id: number, more: object = {}) =>
  item(menus, { type: 'post_type', object_id: id, title: '', url: '', ...more });
const titles = async (menu: number, query = '') =>
  (await get(`/menu-items?menus=${menu}${query}`)).map((one: { title: { rendered: string } }) => one.title.rendered);

describe('menus in a location', () => {
  it('are readable by everybody with their items and locations, and no others', async () => {
    const other = await startSite({ env: { MENU_LOCATIONS: 'header=The head,footer=The foot' } });
    try {
      const make = (path: string, body: object) => other.make('administrator', path, body);
      const see = async (path: string, as: As = 'anonymous') => {
        const { status, body } = await other.call(as, `GET ${path}`);
        return status === 200 ? body : [status, body.code];
      };
      const hidden = await make('/menus', { name: 'Later' });
      await make('/menu-items', { title: 'Later', url: 'https://a.example/', menus: hidden });
      for (const path of ['/menus', `/menus/${hidden}`, '/menu-items', '/menu-locations', '/menu-locations/header'])
        expect(await see(path)).toEqual([401, 'rest_cannot_view']);
      const shown = await make('/menus', { name: 'Main', locations: ['header'] });
      const link = (title: string, more: object = {}) =>
        make('/menu-items', { title, url: 'https://a.example/', menus: shown, status: 'publish', ...more });
      const first = await link('First');
      const below = await link('Below', { parent: first, menu_order: 2 });
      await link('Draft', { status: 'draft' });
      const secret = await make('/pages', { title: 'Secret', status: 'private' });
      const leads = await link('', { type: 'post_type', object: 'page', object_id: secret, url: '' });
      expect(await see('/menus')).toMatchObject([{ id: shown, name: 'Main', locations: ['header'] }]);
      expect(await see(`/menus/${shown}`, 'subscriber')).toMatchObject({ id: shown });
      expect(await see(`/menus/${hidden}`)).toEqual([401, 'rest_cannot_view']);
      expect(await see('/menu-items')).toMatchObject([
        { id: first, title: { rendered: 'First' }, url: 'https://a.example/' },
        { id: below, parent: first },
      ]);
      expect(await see(`/menu-items?menus=${hidden}`)).toEqual([]);
      const { headers } = await other.call('anonymous', `GET /menu-items?menus=${shown}&per_page=1`);
      expect([headers.get('x-cms-total'), headers.get('x-cms-totalpages')]).toEqual(['2', '2']);
      expect(await see(`/menu-items?menus=${shown}&per_page=1&page=2`)).toMatchObject([{ id: below }]);
      expect(await see(`/menu-items/${below}`)).toMatchObject({ id: below });
      expect(await see(`/menu-items/${leads}`)).toEqual([401, 'rest_cannot_view']);
      expect(Object.keys(await see('/menu-locations'))).toEqual(['header']);
      expect(await see('/menu-locations/header?_embed')).toMatchObject({ menu: shown });
      expect(await see('/menu-locations/footer')).toEqual([401, 'rest_cannot_view']);
      expect(await see('/menu-items?context=edit')).toEqual([401, 'rest_forbidden_context']);
      expect(await other.call('anonymous', `PUT /menus/${shown}`, { name: 'No' })).toMatchObject({ status: 401 });
      await other.call('administrator', `PUT /menus/${shown}`, { locations: [] });
      expect(await see('/menu-items')).toEqual([401, 'rest_cannot_view']);
    } finally {
      await other.close();
    }
  });
});

describe('menus', () => {
  it('are readable by contributors and changed by administrators only', async () => {
    const menu = await newMenu();
    expect(await get(`/menus/${menu}`, 'contributor')).toMatchObject({ id: menu, locations: [], auto_add: false });
    expect(refusal(await site.call('subscriber', 'GET /menus'))).toEqual([403, 'rest_cannot_view']);
    expect(refusal(await site.call('editor', `PUT /menus/${menu}`, {}))).toEqual([403, 'rest_cannot_update']);
    expect((await site.call('contributor', 'GET /menus')).headers.get('allow')).toBe('GET');
  });

  it('reveal the targets of items only to those who may read both', async () => {
    const menu = await newMenu();
    const file = await image('administrator');
    await admin(`PUT /media/${file}`, { status: 'private', title: 'Secret plan' });
    const id = await leading(menu, file);
    for (const [as, status] of [
      ['anonymous', 401],
      ['subscriber', 403],
    ] as const) {
      for (const path of [`/menu-items/${id}`, '/menu-items', `/menus/${menu}?_embed`]) {
        const answer = await site.call(as, `GET ${path}`);
        expect([answer.status, answer.text.includes('Secret')]).toEqual([status, false]);
      }
    }
    const draft = await site.make('editor', '/pages', { title: 'Secret page', slug: 'secret-page' });
    const hidden = await site.make('editor', '/pages', { title: 'Secret too', slug: 'secret-too', status: 'private' });
    for (const [led, to, title] of [
      [id, `?attachment_id=${file}`, 'Secret plan'],
      [await leading(menu, draft), `?p=${draft}`, 'Secret page'],
      [await leading(menu, hidden), `?p=${hidden}`, 'Secret too'],
    ] as const) {
      expect((await get(`/menu-items/${led}`)).title.rendered).toBe(title);
      const shown = await get(`/menu-items/${led}`, 'contributor');
      expect([shown.title.rendered, shown.url]).toEqual([`#${to.split('=')[1]} (no title)`, `${SITE}/${to}`]);
      expect(JSON.stringify(shown)).not.toMatch(/secret/i);
    }
    const own = { title: 'Said by the menu', status: 'publish' };
    await admin(`PUT /menu-items/${id}`, own);
    expect((await get(`/menu-items/${id}`, 'contributor')).title.rendered).toBe('Said by the menu');
  });

  it('and their items are shown as the family does', async () => {
    const { body: made } = await site.call('administrator', 'POST /menus', { name: 'M & "x"' });
    expect(made.name).toBe('M &amp; "x"');
    const texts = { attr_title: `A & B "q" -- 's'`, description: `A & B "q" -- 's'` };
    const item = { title: 'I', url: 'https://example.org/', status: 'publish', menus: made.id, ...texts };
    const shown = 'A &#038; B &#8220;q&#8221; &#8212; &#8216;s&#8217;';
    const { body } = await site.call('administrator', 'POST /menu-items', item);
    expect([body.attr_title, body.description]).toEqual([shown, shown]);
  });

  it('have exclusive locations: the last assignment wins', async () => {
    const [first, second] = [await newMenu({ locations: ['header', 'footer'] }), await newMenu()];
    await admin(`PUT /menus/${second}`, { locations: 'footer' });
    expect((await get(`/menus/${first}`)).locations).toEqual(['header']);
    const { locations, _links } = await get(`/menus/${second}`);
    expect(locations).toEqual(['footer']);
    expect(_links['cms:menu-location']).toEqual([{ href: `${BASE}/menu-locations/footer`, embeddable: true }]);
    const places = await get('/menu-locations?_embed');
    expect(places).toMatchObject({
      header: { name: 'header', description: 'The head', menu: first },
      footer: { name: 'footer', menu: second },
    });
    expect((await get('/menu-locations/footer?_embed'))._embedded['cms:menu']).toMatchObject([{ id: second }]);
    await admin(`DELETE /menus/${second}?force=true`);
    expect(await get('/menu-locations/footer')).toMatchObject({ menu: 0 });
    expect((await get('/menu-locations/footer'))._links).not.toHaveProperty('cms:menu');
  });

  it('refuse unknown locations', async () => {
    const menu = await newMenu();
    const { status, body } = await admin(`PUT /menus/${menu}`, { locations: ['header', 'attic'] });
    expect([status, body.data.details.locations]).toEqual([
      400,
      { code: 'rest_invalid_menu_location', message: expect.any(String), data: { location: 'attic' } },
    ]);
    expect((await get(`/menus/${menu}`)).locations).toEqual([]);
  });

  it('refuse taken and empty names, on creation and on update', async () => {
    const [one, two] = [await newMenu({ name: 'Taken' }), await newMenu()];
    for (const request of ['POST /menus', `PUT /menus/${two}`]) {
      const { status, body } = await admin(request, { name: 'taken' });
      expect([status, body.code, body.data.term_id]).toEqual([400, 'menu_exists', one]);
      expect(refusal(await admin(request, { name: ' ' }))).toEqual([400, 'empty_term_name']);
    }
  });

  it('with auto_add gain top-level pages once, when these are first published', async () => {
    const menu = await newMenu({ auto_add: true });
    const other = await newMenu();
    const top = await site.make('editor', '/pages', { title: 'Top', status: 'draft' });
    expect(await titles(menu)).toEqual([]);
    await site.call('editor', `PUT /pages/${top}`, { status: 'publish' });
    await site.call('editor', `PUT /pages/${top}`, { status: 'draft' });
    await site.call('editor', `PUT /pages/${top}`, { status: 'publish' });
    await site.make('editor', '/pages', { title: 'Below', status: 'publish', parent: top });
    await site.make('editor', '/posts', { title: 'Post', status: 'publish' });
    await site.make('editor', '/pages', { title: 'Next', status: 'publish' });
    expect(await titles(menu)).toEqual(['Top', 'Next']);
    expect(await titles(other)).toEqual([]);
    await admin(`PUT /menus/${menu}`, { auto_add: false });
    await site.make('editor', '/pages', { title: 'Late', status: 'publish' });
    expect(await titles(menu)).toEqual(['Top', 'Next']);
    await admin(`DELETE /menus/${menu}?force=true`);
  });
});

describe('menu items', () => {
  it('show the current title and address of their target', async () => {
    const menu = await newMenu();
    const page = await site.make('editor', '/pages', { title: 'About & so', slug: 'about', status: 'publish' });
    const id = await leading(menu, page);
    expect(await get(`/menu-items/${id}?context=edit`)).toMatchObject({
      ...{ title: { raw: 'About &#038; so', rendered: 'About &#038; so' }, url: `${SITE}/about/`, invalid: false },
      ...{ object: 'page', object_id: page, type: 'post_type', type_label: 'Page', classes: [''], xfn: [''] },
    });
    await site.call('editor', `PUT /pages/${page}`, { title: 'Us', slug: 'us' });
    expect(await get(`/menu-items/${id}`)).toMatchObject({ title: { rendered: 'Us' }, url: `${SITE}/us/` });
    await site.call('editor', `PUT /pages/${page}`, { status: 'draft' });
    expect(await get(`/menu-items/${id}`)).toMatchObject({ url: `${SITE}/?page_id=${page}`, invalid: false });
    await site.call('editor', `DELETE /pages/${page}`);
    expect(await get(`/menu-items/${id}`)).toMatchObject({ invalid: true });
    await site.call('editor', `DELETE /pages/${page}?force=true`);
    expect((await admin(`GET /menu-items/${id}`)).status).toBe(404);
  });

  it('can lead to terms, media and the archive of posts', async () => {
    const menu = await newMenu();
    const term = (await site.call('editor', 'POST /tags', { name: 'Tea & co' })).body.id;
    const file = await image('author');
    const toTerm = await item(menu, { type: 'taxonomy', object_id: term, title: '' });
    const toFile = await leading(menu, file);
    const toAll = await item(menu, { type: 'post_type_archive', object: 'post', title: '' });
    expect(await get(`/menu-items/${toTerm}?_embed`)).toMatchObject({
      ...{ title: { rendered: 'Tea &amp; co' }, url: `${SITE}/tag/tea-co/`, type_label: 'Tag', object: 'post_tag' },
      _embedded: { 'cms:menu-item-object': [{ id: term }] },
    });
    expect(await get(`/menu-items/${toFile}`)).toMatchObject({ object: 'attachment', object_id: file, invalid: false });
    expect(await get(`/menu-items/${toAll}`)).toMatchObject({ url: SITE, type_label: 'Post Type Archive' });
    await site.call('editor', `DELETE /tags/${term}?force=true`);
    await site.call('author', `DELETE /media/${file}?force=true`);
    expect((await get(`/menu-items?menus=${menu}`)).map((one: { id: number }) => one.id)).toEqual([toAll]);
  });

  it('are deleted with their menu in one commit', async () => {
    const menu = await newMenu();
    const ids = [await item(menu), await item(menu), await item(await newMenu())];
    const before = site.position();
    await admin(`DELETE /menus/${menu}?force=true`);
    const events = [...site.node.log.read({ from: before + 1 })].map(({ type, commit }) => ({
      type,
      commit: commit.id,
    }));
    expect(events.map(({ type }) => type)).toEqual(['TermDeleted', 'EntryDeleted', 'EntryDeleted']);
    expect(new Set(events.map(({ commit }) => commit)).size).toBe(1);
    const left = await Promise.all(ids.map(async (id) => (await admin(`GET /menu-items/${id}`)).status));
    expect(left).toEqual([404, 404, 200]);
    expect((await admin(`GET /menu-items/${ids[0]}?as_of=${before}`)).body).toMatchObject({ id: ids[0], menus: menu });
  });

  it('no longer exist for what follows the deletion of their menu in a batch', async () => {
    const menu = await newMenu();
    const id = await item(menu);
    const requests = [`menus/${menu}`, `menu-items/${id}`].map((path) => ({
      path: `/cms/v2/${path}`,
      method: 'DELETE',
      body: { force: true },
    }));
    const { body } = await admin('POST /cms-json/batch/v1', { requests });
    expect(body.responses.map(({ status }: { status: number }) => status)).toEqual([200, 404]);
  });

  it('keep their parent when it is deleted, and accept any parent', async () => {
    const menu = await newMenu();
    const above = await item(menu);
    const below = await item(menu, { parent: above });
    await admin(`DELETE /menu-items/${above}?force=true`);
    expect(await get(`/menu-items/${below}`)).toMatchObject({ parent: above });
    expect((await admin(`PUT /menu-items/${below}`, { parent: 987_654 })).body.parent).toBe(987_654);
  });

  it('are listed in menu order, and can be searched and filtered', async () => {
    const menu = await newMenu();
    for (const [order, title] of [
      [3, 'Three'],
      [1, 'One'],
      [2, 'Two quagga'],
    ] as const) {
      await item(menu, { title, menu_order: order });
    }
    expect(await titles(menu)).toEqual(['One', 'Two quagga', 'Three']);
    expect(await titles(menu, '&order=desc&per_page=1')).toEqual(['Three']);
    expect(await titles(menu, '&search=quagga')).toEqual(['Two quagga']);
    expect(await titles(menu, '&menu_order=3')).toEqual(['Three']);
    expect(await get('/posts?search=quagga', 'anonymous')).toEqual([]);
    expect((await get(`/menu-items?menus_exclude=${menu}&search=quagga`)).length).toBe(0);
    expect((await admin('OPTIONS /menu-items')).body.endpoints[0].args.per_page.default).toBe(100);
  });

  it('become drafts with any other status, visible to administrators only', async () => {
    const menu = await newMenu();
    const id = await item(menu, { status: 'pending' });
    expect((await get(`/menu-items/${id}`)).status).toBe('draft');
    expect(refusal(await site.call('editor', `GET /menu-items/${id}`))).toEqual([403, 'rest_forbidden']);
    expect(await titles(menu)).toEqual([]);
    expect(await titles(menu, '&status=draft')).toEqual(['Home']);
    const { body } = await site.call('editor', 'GET /menu-items?status=draft');
    expect(body.data.details.status.code).toBe('rest_forbidden_status');
  });

  it('sanitise texts, class names and URLs', async () => {
    const id = await item(await newMenu(), {
      ...{
        title: { raw: 'A <b>b</b>' },
        attr_title: ' T <i>i</i>\np ',
        description: 'D <u>d</u>',
        url: 'b.example/c d',
      },
      ...{ classes: 'one t%20wo! three', xfn: ['friend', 'm e t'], object_id: 7 },
    });
    expect(await get(`/menu-items/${id}?context=edit`)).toMatchObject({
      ...{ title: { raw: 'A <b>b</b>' }, attr_title: 'T i p', description: 'D d', url: 'http://b.example/c%20d' },
      ...{ classes: ['one', 'two', 'three'], xfn: ['friend', 'met'], object: 'custom', object_id: id },
    });
    for (const url of ['javascript:alert(1)', ['x'], {}]) {
      const { status, body } = await admin(`PUT /menu-items/${id}`, { url });
      expect([status, body.data.details.url.code]).toEqual([400, 'rest_invalid_url']);
    }
  });

  it('have a `menus` field only while they are in a menu', async () => {
    const id = await site.make('administrator', '/menu-items', { title: 'Loose', url: '/' });
    expect(await get(`/menu-items/${id}`)).not.toHaveProperty('menus');
    const menu = await newMenu();
    await admin(`PUT /menu-items/${id}`, { menus: menu });
    expect(await get(`/menu-items/${id}`)).toMatchObject({ menus: menu });
    expect(refusal(await admin(`PUT /menu-items/${id}`, { menus: 1 }))).toEqual([400, 'invalid_menu_id']);
    expect((await get(`/menus?post=${id}`)).map((one: { id: number }) => one.id)).toEqual([menu]);
  });

  it('have autosaves of their title, and no revisions', async () => {
    const id = await item(await newMenu());
    const { status, body } = await site.call('administrator', `POST /menu-items/${id}/autosaves`, { title: 'Not yet' });
    expect([status, body.parent, body.title.raw]).toEqual([200, id, 'Not yet']);
    expect(body).not.toHaveProperty('content');
    expect(await get(`/menu-items/${id}`)).toMatchObject({ title: { rendered: 'Home' } });
    await admin(`PUT /menu-items/${id}`, { title: 'Second' });
    expect((await admin(`GET /menu-items/${id}/revisions`)).status).toBe(404);
    expect(await get(`/menu-items/${id}/autosaves`)).toHaveLength(1);
    expect(refusal(await site.call('editor', `GET /menu-items/${id}/autosaves`))).toEqual([403, 'rest_cannot_read']);
  });

  it('can be saved in one batch', async () => {
    const menu = await newMenu();
    const old = await item(menu, { title: 'Old' });
    const requests = [
      { method: 'DELETE', path: `/cms/v2/menu-items/${old}?force=true` },
      ...['A', 'B'].map((title, i) => ({
        path: '/cms/v2/menu-items',
        body: { title, url: '/', menus: menu, menu_order: i + 1 },
      })),
    ];
    const batch = { validation: 'require-all-validate', requests };
    const { body } = await admin('POST /cms-json/batch/v1', batch);
    expect(body.responses.map((one: { status: number }) => one.status)).toEqual([200, 201, 201]);
    expect(await titles(menu)).toEqual(['A', 'B']);
  });

  it('survive a restart, with their menus and locations', async () => {
    const menu = await newMenu({ locations: ['header'], auto_add: true });
    await item(menu, { title: 'Kept', classes: ['a'], target: '_blank' });
    await site.restart();
    expect(await get(`/menus/${menu}`)).toMatchObject({ locations: ['header'], auto_add: true });
    expect((await get(`/menu-items?menus=${menu}`))[0]).toMatchObject({ classes: ['a'], target: '_blank' });
    await admin(`DELETE /menus/${menu}?force=true`);
  });

  it('are hidden in the feed from those who may not see them', async () => {
    const from = site.position();
    await item(await newMenu());
    const changes = async (as: As) =>
      (await get(`/changes?since=${from}`, as)).commits.flatMap((one: { changes: { resource: string }[] }) =>
        one.changes.map(({ resource }) => resource),
      );
    expect(await changes('anonymous')).toEqual([]);
    expect(await changes('contributor')).toEqual(['menus', 'menu-items']);
  });
});

describe('the menu on pages', () => {
  it('is that of the first location with a menu, without items hidden from the public', async () => {
    const own = await startSite({ env: { MENU_LOCATIONS: 'header=The head,footer=The foot' } });
    const make = (path: string, fields: object) => own.make('administrator', path, fields);
    const shown = async () => {
      const text = await (await fetch(`http://127.0.0.1:${own.port}/`)).text();
      return /<header>.*?<nav aria-label="([^"]+)">(.*?)<\/nav>/s.exec(text)?.slice(1) ?? [];
    };
    const page = await make('/pages', { title: 'About & so', slug: 'about', status: 'publish' });
    const draft = await make('/pages', { title: 'Secret' });
    expect((await shown())[0]).toBe('Pages');
    const menus = await make('/menus', { name: 'Main', locations: ['footer'] });
    const home = await make('/menu-items', { title: 'Home', url: `${SITE}/`, menus, menu_order: 1 });
    const led = { type: 'post_type', title: '', menus };
    await make('/menu-items', { ...led, object_id: page, parent: home, menu_order: 2 });
    await make('/menu-items', { ...led, object_id: draft, menu_order: 3 });
    await make('/menu-items', {
      title: 'Elsewhere',
      url: 'https://a.example/?x=1&y',
      menus,
      menu_order: 4,
      target: '_blank',
    });
    const [label, list = ''] = await shown();
    expect([label, list.replace(/\n/g, '')]).toEqual([
      'Menu',
      `<ul><li><a href="${SITE}/" aria-current="page">Home</a><ul><li><a href="${SITE}/about/">About &amp; so</a></li></ul></li>` +
        '<li><a href="https://a.example/?x=1&amp;y" rel="noopener" target="_blank">Elsewhere</a></li></ul>',
    ]);
    await own.call('administrator', `PUT /menus/${menus}`, { locations: [] });
    expect((await shown())[0]).toBe('Pages');
    await own.close();
  });
});
