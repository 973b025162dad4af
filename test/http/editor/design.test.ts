import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '../../support/history.ts';
import { type As, BASE, type Site, startSite } from '../../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const admin = (request: string, body?: object) => site.call('administrator', request, body);
const get = async (path: string, as: As = 'administrator') => (await site.call(as, `GET ${path}`)).body;
const own = '/templates/plain//page-no-title';

describe('the theme', () => {
  it('shows contributors the features it supports', async () => {
    const [theme] = await get('/themes?status=active', 'contributor');
    expect(theme).toMatchObject({
      ...{ stylesheet: 'plain', template: 'plain', status: 'active', is_block_theme: false },
      name: { raw: 'Plain', rendered: 'Plain' },
      theme_supports: { 'post-thumbnails': true, 'responsive-embeds': true, 'align-wide': true },
      _links: {
        self: [{ href: `${BASE}/themes/plain` }],
        collection: [{ href: `${BASE}/themes` }],
        'cms:user-global-styles': [{ href: `${BASE}/global-styles/1` }],
      },
    });
    expect(theme.theme_supports.formats).toContain('standard');
    expect(theme.default_template_part_areas.map(({ area }: { area: string }) => area)).toContain('header');
  });

  it('is listed with inactive themes for administrators; inactive ones show no features', async () => {
    const several = await startSite({ env: { PLUGIN_SETTINGS: pluginSettings } });
    try {
      const { body, headers } = await several.call('administrator', 'GET /themes');
      expect(headers.get('x-cms-total')).toBe('2');
      expect(body.map((one: { status: string }) => one.status)).toEqual(['active', 'inactive']);
      expect(body[1]).not.toHaveProperty('theme_supports');
      expect(body[1]._links).not.toHaveProperty('cms:user-global-styles');
      expect((await several.call('administrator', 'GET /themes/wide')).body).toMatchObject({ status: 'inactive' });
      expect(refusal(await several.call('editor', 'GET /themes/wide'))).toEqual([403, 'rest_cannot_view_themes']);
      const other = await several.call('administrator', 'POST /templates', {
        slug: 'index',
        theme: 'wide',
        title: 'I',
      });
      expect(other.body.id).toBe('wide//index');
    } finally {
      await several.close();
    }
  });
});

const pluginSettings = JSON.stringify({
  themes: [
    { slug: 'plain', name: 'Plain' },
    { slug: 'wide', name: 'Wide' },
  ],
});

describe('templates', () => {
  it('are those of the theme until they are customised', async () => {
    expect(await get(own, 'contributor')).toMatchObject({
      ...{ id: 'plain//page-no-title', theme: 'plain', slug: 'page-no-title', type: 'wp_template', wp_id: 0 },
      ...{ source: 'theme', origin: null, has_theme_file: true, is_custom: true, author: 0, status: 'publish' },
      ...{ content: { raw: '<!-- wp:post-content /-->' }, modified: null, date: null },
    });
    expect((await get('/templates?post_type=post')).map(({ slug }: { slug: string }) => slug)).toEqual([]);
    const changed = (await admin(`PUT ${own}`, { title: 'Bare', content: { raw: 'New' } })).body;
    expect(changed).toMatchObject({ source: 'custom', origin: 'theme', has_theme_file: true, title: { raw: 'Bare' } });
    expect(changed.wp_id).toBeGreaterThan(0);
    expect(await get(`/templates?wp_id=${changed.wp_id}`)).toMatchObject([{ id: 'plain//page-no-title' }]);
    const { body, headers } = await admin(`DELETE ${own}?force=true`);
    expect(body).toMatchObject({ deleted: true, previous: { title: { raw: 'Bare' }, content: { raw: 'New' } } });
    expect(headers.get('allow')).toBeNull();
    expect(await get(own)).toMatchObject({ source: 'theme', content: { raw: '<!-- wp:post-content /-->' } });
    expect(refusal(await admin(`DELETE ${own}?force=true`))).toEqual([400, 'rest_invalid_template']);
  });

  it('are reset by an update with the source "theme"', async () => {
    await admin(`PUT ${own}`, { content: 'Changed' });
    const { body } = await admin(`PUT ${own}`, { source: 'theme' });
    expect(body).toMatchObject({ source: 'theme', wp_id: 0, content: { raw: '<!-- wp:post-content /-->' } });
  });

  it('are created under a free slug, and found by the template hierarchy', async () => {
    const slugs = [];
    for (let i = 0; i < 2; i += 1) {
      const made = await admin('POST /templates', { slug: 'Single Post', title: 'Posts', content: 'Text' });
      expect([made.status, made.headers.get('location')]).toEqual([201, `${BASE}/templates/${made.body.id}`]);
      slugs.push(made.body.slug);
    }
    expect(slugs).toEqual(['single-post', 'single-post-2']);
    await admin('POST /templates', { slug: 'index', content: 'Any' });
    const found = async (query: string) => (await get(`/templates/lookup?${query}`, 'contributor')).slug;
    expect(await found('slug=single-post-hello')).toBe('single-post');
    expect(await found('slug=single-page')).toBe('index');
    expect(await found('slug=front-page')).toBe('index');
    expect(await found('slug=page-no-title&is_custom=true')).toBe('index');
    expect(await get('/template-parts/lookup?slug=header')).toEqual({});
  });

  it('have parts, each in an area of the theme', async () => {
    const part = (await admin('POST /template-parts', { slug: 'top', area: 'header', content: 'x' })).body;
    expect(part).toMatchObject({ id: 'plain//top', type: 'wp_template_part', area: 'header' });
    expect(part).not.toHaveProperty('is_custom');
    expect((await admin('PUT /template-parts/plain/top', { area: 'attic' })).body.area).toBe('uncategorized');
    expect(await get('/template-parts?area=header')).toEqual([]);
    expect(part._links.about).toEqual([{ href: `${BASE}/types/wp_template_part` }]);
    expect(await get('/types/wp_template_part')).toMatchObject({ rest_base: 'template-parts' });
  });

  it('are readable by contributors and changed by administrators only', async () => {
    for (const request of [`GET ${own}`, 'GET /templates', 'GET /templates/lookup?slug=index']) {
      expect((await site.call('contributor', request)).status).toBe(200);
      expect(refusal(await site.call('subscriber', request))).toEqual([403, 'rest_cannot_manage_templates']);
    }
    for (const request of ['POST /templates?slug=x', `PUT ${own}`, `DELETE ${own}`]) {
      expect(refusal(await site.call('editor', request, {}))).toEqual([403, 'rest_cannot_manage_templates']);
    }
    expect(refusal(await admin('POST /templates', { slug: 'x', theme: 'none' }))).toEqual([400, 'rest_invalid_param']);
    expect(refusal(await admin('PUT /templates/plain//none', {}))).toEqual([404, 'rest_template_not_found']);
  });

  it('are trashed under another slug, and restored by a save', async () => {
    const made = await admin('POST /templates', { slug: 'thrown', content: 'a', is_wp_suggestion: true });
    expect(made.body).toMatchObject({ is_custom: false, content: { raw: 'a' } });
    expect(made.body.content).not.toHaveProperty('block_version');
    const { body } = await admin('DELETE /templates/plain//thrown');
    expect(body).toMatchObject({ id: 'plain//thrown', status: 'trash' });
    expect(refusal(await admin('GET /templates/plain//thrown'))).toEqual([404, 'rest_template_not_found']);
    const trashed = '/templates/plain//thrown__trashed';
    expect(await get(trashed)).toMatchObject({ status: 'trash', wp_id: made.body.wp_id });
    expect((await get('/templates')).map(({ wp_id }: { wp_id: number }) => wp_id)).not.toContain(made.body.wp_id);
    expect(refusal(await admin(`DELETE ${trashed}`))).toEqual([410, 'rest_template_already_trashed']);
    expect((await admin(`PUT ${trashed}`, {})).body).toMatchObject({ status: 'publish', slug: 'thrown__trashed' });
    expect((await admin(`DELETE ${trashed}?force=true`)).body.deleted).toBe(true);
    expect(refusal(await admin('POST /templates', { slug: 'empty' }))).toEqual([400, 'empty_content']);
    expect(refusal(await admin('POST /templates', { slug: 'x', status: 'none' }))).toEqual([400, 'rest_invalid_param']);
  });

  it('append no event when nothing changes', async () => {
    const { body } = await admin('POST /templates', { slug: 'same', title: 'T', content: 'C' });
    const before = site.position();
    expect((await admin(`PUT /templates/${body.id}`, { title: 'T', content: 'C' })).status).toBe(200);
    expect(site.position()).toBe(before);
  });
});

describe('revisions of templates', () => {
  it('contain the texts after each change except the first save', async () => {
    const { body } = await admin('POST /templates', { slug: 'revised', title: 'One', content: 'a' });
    const path = `/templates/${body.id}`;
    expect(await get(`${path}/revisions`)).toEqual([]);
    await admin(`PUT ${path}`, { content: 'b' });
    await admin(`PUT ${path}`, { title: 'Three' });
    const revisions = await get(`${path}/revisions?context=edit`);
    expect(revisions).toMatchObject([
      { title: { raw: 'Three' }, content: { raw: 'b' }, status: 'inherit', parent: body.wp_id },
      { title: { raw: 'One' }, content: { raw: 'b' } },
    ]);
    const [, { wp_id: older }] = revisions;
    expect((await get(`${path}/revisions/${older}`))._links).toEqual({
      self: [{ href: `${BASE}${path}/revisions/${older}` }],
      parent: [{ href: `${BASE}${path}` }],
    });
    const paged = await admin(`GET ${path}/revisions?per_page=1`);
    expect([paged.body.length, paged.headers.get('x-cms-totalpages')]).toEqual([1, '2']);
    expect((await admin(`DELETE ${path}/revisions/${older}?force=true`)).body.deleted).toBe(true);
    expect(await get(`${path}/revisions`)).toMatchObject([{ title: { raw: 'Three' }, content: { raw: 'b' } }]);
    expect(refusal(await admin(`GET ${path}/revisions/${older}`))).toEqual([404, 'rest_post_invalid_id']);
    expect(refusal(await site.call('editor', `GET ${path}/revisions`))).toEqual([403, 'rest_cannot_read']);
  });

  it('do not exist for templates of the theme', async () => {
    expect(refusal(await admin(`GET ${own}/revisions`))).toEqual([400, 'rest_invalid_template']);
    expect(refusal(await admin('GET /templates/plain//none/revisions'))).toEqual([404, 'rest_post_invalid_parent']);
  });

  it('do not include autosaves, of which each user has one', async () => {
    const { body } = await admin('POST /templates', { slug: 'kept', title: 'One', content: 'a' });
    const path = `/templates/${body.id}/autosaves`;
    const first = (await admin(`POST ${path}`, { content: 'b' })).body;
    const second = (await admin(`POST ${path}`, { content: 'c' })).body;
    expect(second.wp_id).toBe(first.wp_id);
    expect(await get(path)).toMatchObject([{ content: { raw: 'c' }, title: { raw: '' }, parent: body.wp_id }]);
    expect(await get(`${path}/${first.wp_id}`)).toMatchObject({ content: { raw: 'c' } });
    expect(await get(`/templates/${body.id}/revisions`)).toEqual([]);
    expect((await get(`/templates/${body.id}`)).content.raw).toBe('a');
  });
});

describe('the styles of the site', () => {
  it('are empty until an administrator sets them', async () => {
    expect(await get('/global-styles/1', 'contributor')).toMatchObject({
      ...{ id: 1, settings: {}, styles: {}, title: { raw: 'Custom Styles', rendered: 'Custom Styles' } },
      _links: { about: [{ href: `${BASE}/types/wp_global_styles` }] },
    });
    expect(await get('/global-styles/themes/plain')).toMatchObject({ settings: { color: {} }, styles: {} });
    expect(await get('/global-styles/themes/plain/variations')).toEqual([]);
    expect(refusal(await site.call('editor', 'PUT /global-styles/1', {}))).toEqual([403, 'rest_cannot_edit']);
    expect(await get('/types/wp_global_styles')).toMatchObject({ rest_base: 'global-styles' });
  });

  it('are replaced member by member, and every change is a revision', async () => {
    const start = site.position();
    const settings = { color: { palette: { custom: [{ slug: 'a', color: '#111', name: 'A' }] } } };
    await admin('PUT /global-styles/1', { settings, title: 'Calm' });
    await admin('PUT /global-styles/1', { styles: { color: { text: '#222' } } });
    await admin('PUT /global-styles/1', { styles: { color: { text: '#222' } } });
    expect(await get('/global-styles/1')).toMatchObject({
      ...{ settings, styles: { color: { text: '#222' } }, title: { raw: 'Calm' } },
      _links: { 'version-history': [{ count: 2, href: `${BASE}/global-styles/1/revisions` }] },
    });
    expect(await get('/global-styles/1/revisions')).toMatchObject([
      { id: 2, parent: 1, author: 1, settings, styles: { color: { text: '#222' } } },
      { id: 1, settings, styles: {} },
    ]);
    expect(await get(`/global-styles/1?as_of=${start}`)).toMatchObject({ settings: {}, styles: {} });
    expect(refusal(await admin('GET /global-styles/1/revisions/9'))).toEqual([404, 'rest_post_invalid_id']);
    expect(refusal(await admin('GET /global-styles/1/revisions?offset=2'))).toEqual([
      400,
      'rest_revision_invalid_offset_number',
    ]);
    const css = await admin('PUT /global-styles/1', { styles: { css: '</style><script>' } });
    expect(refusal(css)).toEqual([400, 'rest_custom_css_illegal_markup']);
  });
});

describe('templates and styles', () => {
  it('are reported by the feed to those who may read them', async () => {
    const since = site.position();
    const { body } = await admin('POST /templates', { slug: 'told', content: 'a' });
    await admin(`PUT /templates/${body.id}`, { content: 'b' });
    await admin(`POST /templates/${body.id}/autosaves`, { content: 'c' });
    await admin('PUT /global-styles/1', { title: 'Told' });
    await admin(`DELETE /templates/${body.id}?force=true`);
    const told = async (as: As) =>
      (await get(`/changes?since=${since}`, as)).commits.flatMap(({ changes }: { changes: object[] }) => changes);
    expect(await told('contributor')).toEqual([
      { resource: 'templates', id: body.wp_id, what: 'created' },
      { resource: 'templates', id: body.wp_id, what: 'changed' },
      { resource: 'global-styles', id: 1, what: 'changed' },
      { resource: 'templates', id: body.wp_id, what: 'deleted' },
    ]);
    expect(await told('subscriber')).toEqual([]);
  });

  it('survive a restart, and can be read as of an earlier position', async () => {
    const position = site.position();
    const shown = [await get('/templates'), await get('/global-styles/1')];
    await admin('POST /templates', { slug: 'later', content: 'x' });
    await site.restart();
    expect([await get(`/templates?as_of=${position}`), await get('/global-styles/1')]).toEqual(shown);
    const folder = `http://127.0.0.1:${site.port}/cms-audit/things/plugin-templates`;
    const page = await (
      await fetch(folder, { headers: { authorization: site.authorization('administrator') } })
    ).text();
    expect(page).toContain('later');
  });
});
