import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Document } from '#http/openapi/types.ts';
import { createChecker } from '../../support/openapi.ts';
import { type As, type Site, startSite } from '../../support/site.ts';
import { pngOf, uploadForm } from '../../support/uploads.ts';

/** The requests of a block editor session, in order. Every answer is checked against the OpenAPI document. */

let site: Site;
let check: ReturnType<typeof createChecker>;
beforeAll(async () => {
  site = await startSite();
  check = createChecker((await site.call('anonymous', 'GET /cms-json/openapi.json')).body as Document);
});
afterAll(() => site.close());

interface Sent {
  readonly as?: As;
  readonly body?: object;
}

/** Sends a request as editors do: with a locale, and with methods other than GET and POST in a header. */
async function ask(request: string, { as = 'administrator', body }: Sent = {}) {
  const [method = '', path = ''] = request.split(' ');
  const isOther = method === 'PUT' || method === 'DELETE';
  const headers = isOther ? { 'x-http-method-override': method } : {};
  const address = `${path}${path.includes('?') ? '&' : '?'}_locale=user`;
  const answer = await site.call(as, `${isOther ? 'POST' : method} ${address}`, body, { headers });
  const { pathname, searchParams: query } = new URL(
    `http://site.invalid${path.startsWith('/cms-json') ? path : `/cms-json/cms/v2${path}`}`,
  );
  const exchanged = { method, path: decodeURI(pathname.slice('/cms-json'.length)) || '/', query };
  const type = answer.headers.get('content-type') ?? '';
  // A selection of fields is not a complete record.
  const fault = query.has('_fields') ? null : check({ ...exchanged, status: answer.status, type, body: answer.text });
  expect([request, fault]).toEqual([request, null]);
  return answer;
}

async function good(request: string, sent: Sent = {}) {
  const { status, body, headers } = await ask(request, sent);
  const isMade = status === 201 && request.startsWith('POST');
  expect([request, isMade ? 200 : status]).toEqual([request, 200]);
  return { body, headers };
}

const get = async (path: string, as: As = 'administrator') => (await good(`GET ${path}`, { as })).body;
const allowed = async (path: string, as: As = 'administrator') =>
  (await ask(`OPTIONS ${path}`, { as })).headers.get('allow')?.split(', ').sort() ?? [];

const root =
  'description,gmt_offset,home,name,site_icon,site_icon_url,site_logo,timezone_string,url,page_for_posts,page_on_front,show_on_front';
const paragraph = (text: string) => `<!-- wp:paragraph -->\n<p>${text}</p>\n<!-- /wp:paragraph -->`;

describe('a block editor', () => {
  let post = 0;
  const edited = () => get(`/posts/${post}?context=edit`);

  it('loads types, taxonomies, settings and the post at the start', async () => {
    post = (await good('POST /posts', { body: { title: 'Draft', status: 'draft' } })).body.id;
    const types = await get('/types?context=view&per_page=100');
    expect(types.post).toMatchObject({ rest_base: 'posts', rest_namespace: 'cms/v2' });
    expect(await get('/types/post?context=edit')).toMatchObject({
      ...{ viewable: true, taxonomies: ['category', 'post_tag'], supports: { title: true, revisions: true } },
      labels: { singular_name: 'Post' },
    });
    for (const type of Object.keys(types))
      expect(await get(`/types/${type}?context=edit`)).toMatchObject({ slug: type });
    expect(await get('/taxonomies?context=view&per_page=100')).toMatchObject({ category: { hierarchical: true } });
    expect(await get('/taxonomies?context=edit&per_page=100')).toMatchObject({
      category: { labels: { menu_name: 'Categories' }, visibility: { show_ui: true } },
    });
    expect(await get('/statuses?context=edit')).toMatchObject({ publish: { name: 'Published' } });
    expect(await get('/users/me?context=edit')).toMatchObject({ id: 1, capabilities: { edit_posts: true } });
    expect(await get('/settings')).toMatchObject({ posts_per_page: 10, show_on_front: 'posts' });
    expect(await get(`/cms-json/?_fields=${root}`)).toMatchObject({ home: 'http://site.example', site_icon: 0 });
    expect(await edited()).toMatchObject({
      title: { raw: 'Draft' },
      status: 'draft',
      permalink_template: expect.any(String),
    });
    expect(await get(`/posts/${post}/autosaves?context=edit`)).toEqual([]);
  });

  it('loads the theme, its styles and its templates', async () => {
    const [theme] = await get('/themes?context=edit&status=active');
    expect(theme).toMatchObject({ status: 'active', theme_supports: { 'post-thumbnails': true } });
    expect(await get(`/global-styles/themes/${theme.stylesheet}?context=view`)).toHaveProperty('settings');
    expect(await get(`/global-styles/themes/${theme.stylesheet}/variations?context=view`)).toEqual([]);
    const styles = new URL(theme._links['cms:user-global-styles'][0].href).pathname;
    expect(await allowed(styles)).toContain('PUT');
    expect(await get(`${styles}?context=edit`)).toMatchObject({ settings: {}, styles: {} });
    for (const slug of ['front-page', 'single-post', 'single-post-draft']) {
      expect(await get(`/templates/lookup?slug=${slug}`)).toEqual({});
    }
    expect(await get('/templates?context=edit&per_page=-1')).toMatchObject([{ slug: 'page-no-title' }]);
    expect(await get('/template-parts?context=edit&per_page=-1')).toEqual([]);
    expect(await get('/block-types?_fields=name')).toContainEqual({ name: 'core/paragraph' });
    expect(await get('/block-patterns/patterns')).toEqual([]);
    expect(await get('/block-patterns/categories')).toEqual([]);
    expect(await get('/blocks?context=edit&per_page=100&page=1')).toEqual([]);
    expect(await get('/wp_pattern_category?context=view&per_page=100&_fields=id,name,description,slug')).toEqual([]);
    expect(await get('/font-families?context=view&per_page=100&_embed=font_faces')).toEqual([]);
    expect(await get('/font-collections?context=view&_fields=slug,name')).toEqual([]);
    expect(await get('/plugins?context=edit&_fields=plugin,status')).not.toEqual([]);
  });

  it('finds out what the user may do', async () => {
    const may = async (as: As) => {
      const paths = ['/media', '/pages', '/blocks', '/templates', '/posts', '/users', '/font-families', '/categories'];
      const lists = await Promise.all(paths.map((path) => allowed(path, as)));
      return paths.filter((_, i) => lists[i]?.includes('POST'));
    };
    expect(await may('administrator')).toEqual([
      '/media',
      '/pages',
      '/blocks',
      '/templates',
      '/posts',
      '/users',
      '/categories',
    ]);
    expect(await may('author')).toEqual(['/media', '/blocks', '/posts']);
    expect(await may('contributor')).toEqual(['/posts']);
    expect(await allowed('/settings')).toEqual(['GET', 'PATCH', 'POST', 'PUT']);
    expect(await allowed('/settings', 'author')).toEqual([]);
    expect(await allowed(`/posts/${post}`)).toEqual(['DELETE', 'GET', 'PATCH', 'POST', 'PUT']);
    expect(Object.keys((await edited())._links)).toEqual(
      expect.arrayContaining(['cms:action-publish', 'cms:action-assign-author', 'cms:action-sticky']),
    );
  });

  it('writes, saves and autosaves', async () => {
    await good(`PUT /posts/${post}`, { body: { title: 'Words', content: paragraph('One') } });
    const autosave = await good(`POST /posts/${post}/autosaves`, {
      body: { title: 'Words', content: paragraph('Two'), excerpt: '' },
    });
    expect(autosave.body).toMatchObject({ content: { raw: paragraph('Two') } });
    expect(await edited()).toMatchObject({ content: { raw: paragraph('Two'), block_version: 1 }, status: 'draft' });
  });

  it('uploads an image, and adds a category and a tag', async () => {
    const picture = { name: 'sky.png', type: 'image/png', bytes: pngOf(40, 30) };
    const { status, body } = await uploadForm(site, 'administrator', picture, { fields: { post: String(post) } });
    expect([status, body.post]).toEqual([201, post]);
    expect(await get(`/media/${body.id}?context=edit`)).toMatchObject({ mime_type: 'image/png' });
    await good(`POST /media/${body.id}`, { body: { alt_text: 'The sky' } });
    const lists = '_fields=id,name,parent&context=view&order=asc&orderby=name&per_page=100';
    expect(await get(`/categories?${lists}`)).toMatchObject([{ name: 'Uncategorized', parent: 0 }]);
    const category = (await good('POST /categories', { body: { name: 'News' } })).body.id;
    expect(await get('/tags?context=view&per_page=20&search=new&_fields=id,name')).toEqual([]);
    const tag = (await good('POST /tags', { body: { name: 'new' } })).body.id;
    const terms = { categories: [category], tags: [tag], featured_media: body.id };
    expect((await good(`PUT /posts/${post}`, { body: terms })).body).toMatchObject(terms);
  });

  it('finds link targets and possible authors', async () => {
    const page = (await good('POST /pages', { body: { title: 'About words', status: 'publish' } })).body.id;
    expect(await get('/search?search=words&per_page=20&type=post')).toMatchObject([{ id: page, subtype: 'page' }]);
    expect(await get('/search?search=News&per_page=20&type=term')).toMatchObject([{ title: 'News' }]);
    expect(await get('/users?context=view&who=authors&per_page=100&_fields=id,name')).toHaveLength(4);
    const pages =
      '_fields=id,title,parent&context=edit&exclude=1&order=asc&orderby=menu_order&parent_exclude=1&per_page=100';
    expect(await get(`/pages?${pages}`)).toMatchObject([{ id: page, title: { raw: 'About words' } }]);
  });

  it('creates a synced pattern in a category, and a note', async () => {
    const category = (await good('POST /wp_pattern_category', { body: { name: 'Calls' } })).body.id;
    const pattern = {
      title: 'Call',
      content: paragraph('Call us'),
      status: 'publish',
      wp_pattern_category: [category],
    };
    const { id } = (await good('POST /blocks', { body: pattern })).body;
    await good(`PUT /posts/${post}`, { body: { content: `${paragraph('Two')}\n<!-- wp:block {"ref":${id}} /-->` } });
    expect((await get(`/posts/${post}`)).content.rendered).toContain('Call us');
    const note = (await good('POST /comments', { body: { post, type: 'note', content: 'Shorter?', status: 'hold' } }))
      .body;
    const found = `/comments?post=${post}&type=note&status=all&context=edit&per_page=100`;
    expect(await get(found)).toMatchObject([{ id: note.id, content: { raw: 'Shorter?' } }]);
    await good(`PUT /comments/${note.id}`, { body: { status: 'approved' } });
    expect(await get(found)).toMatchObject([{ status: 'approved' }]);
  });

  it('publishes, autosaves a published post, and restores a revision', async () => {
    const published = (await good(`PUT /posts/${post}`, { body: { status: 'publish' } })).body;
    expect(published).toMatchObject({ status: 'publish', slug: 'words', link: 'http://site.example/words/' });
    const beside = { title: 'Words', content: paragraph('Three'), excerpt: '' };
    const kept = (await good(`POST /posts/${post}/autosaves`, { body: beside })).body;
    expect(kept).toMatchObject({ parent: post, preview_link: expect.any(String) });
    expect((await edited()).content.raw).not.toContain('Three');
    await good(`PUT /posts/${post}`, { body: { content: paragraph('Three') } });
    const fields =
      '_fields=id,date,author,modified,title.raw,excerpt.raw,content.raw&context=edit&order=desc&orderby=date';
    const revisions = await get(`/posts/${post}/revisions?${fields}&per_page=100`);
    expect(revisions[0]).toMatchObject({ content: { raw: paragraph('Three') } });
    const [, { id }] = revisions;
    expect(await get(`/posts/${post}/revisions/${id}?context=edit`)).toMatchObject({ id, parent: post });
    const before = (await get(`/posts/${post}/revisions/${id}?context=edit`)).content.raw;
    expect((await good(`PUT /posts/${post}`, { body: { content: before } })).body.content.raw).toBe(before);
  });

  it('stores the preferences of the user', async () => {
    const meta = { persisted_preferences: { core: { editorMode: 'text' } } };
    await good('PUT /users/me', { body: { meta } });
    expect((await get('/users/me?context=edit')).meta).toMatchObject(meta);
  });

  it('saves several posts in a batch, and trashes one', async () => {
    const other = (await good('POST /posts', { body: { title: 'Other' } })).body.id;
    const requests = [post, other].map((id) => ({
      ...{ method: 'PUT', path: `/cms/v2/posts/${id}` },
      body: { title: `Last words of ${id}` },
    }));
    const { status, body } = await ask('POST /cms-json/batch/v1', {
      body: { requests, validation: 'require-all-validate' },
    });
    expect([status, body.responses.map((one: { status: number }) => one.status)]).toEqual([207, [200, 200]]);
    expect((await edited()).title.raw).toBe(`Last words of ${post}`);
    expect((await good(`DELETE /posts/${post}`)).body).toMatchObject({ status: 'trash' });
    expect(await get('/posts?status=trash&context=edit')).toMatchObject([{ id: post }]);
  });
});

describe('the block editor of a contributor', () => {
  it('opens without features reserved for others, and submits for review', async () => {
    const as = 'contributor';
    const { id } = (await good('POST /posts', { as, body: { title: 'Mine' } })).body;
    const post = await get(`/posts/${id}?context=edit`, as);
    expect(post._links).not.toHaveProperty('cms:action-publish');
    for (const path of [
      ...['/types?context=view', '/types/post?context=edit', '/taxonomies?context=edit', '/users/me?context=edit'],
      ...['/themes?context=edit&status=active', '/global-styles/1', '/global-styles/themes/plain?context=view'],
      ...['/templates/lookup?slug=front-page', '/block-patterns/patterns', '/block-types/core/heading'],
      ...['/blocks?context=edit&per_page=100', `/comments?post=${id}&type=note&status=all&context=view`],
    ]) {
      const { status } = await ask(`GET ${path}`, { as });
      expect([path, status < 500 && status !== 404]).toEqual([path, true]);
    }
    expect(await allowed('/global-styles/1', as)).toEqual(['GET']);
    expect(await allowed('/settings', as)).toEqual([]);
    const sent = (await good(`PUT /posts/${id}`, { as, body: { status: 'pending' } })).body;
    expect(sent.status).toBe('pending');
    expect((await ask(`PUT /posts/${id}`, { as, body: { status: 'publish' } })).status).toBe(403);
  });
});
