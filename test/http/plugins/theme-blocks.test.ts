import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { callPlugin, startPluginSite } from '../../support/plugins.ts';
import type { Site } from '../../support/site.ts';
import { pngOf, uploadBody } from '../../support/uploads.ts';

const root = '/theme-blocks/v1';
let site: Site;
beforeAll(async () => {
  site = await startPluginSite('A');
});
afterAll(() => site.close());

const call = (request: string, body?: unknown) => callPlugin(site, 'contributor', request, body);
const write = (title: string, more: object = {}) =>
  site.make('editor', '/posts', { title, content: title, status: 'publish', ...more });

async function list(queryAttributes: Record<string, unknown>) {
  return (await call(`POST ${root}/get-blog-posts`, { queryAttributes })).body.data;
}

async function idsOf(queryAttributes: Record<string, unknown>): Promise<readonly number[]> {
  return ((await list(queryAttributes)).queriedPostsData ?? []).map(({ postID }: { postID: number }) => postID);
}

describe('block styles', () => {
  const style = (key: string, more: object = {}) => ({ key, values: [{ selector: 'p', styles: 'x' }], ...more });
  const save = async (options: unknown, more: object = {}) =>
    (await callPlugin(site, 'administrator', `POST ${root}/update-styles`, { options, ...more })).body;
  const shown = async (query = '') => (await call(`GET ${root}/get-styles${query}`)).body;

  it('are stored per place, those without a place being the default', async () => {
    for (const place of ['widget', 'template']) await save([style(place)], { page_id: place });
    await save([style('anywhere')]);
    expect(await shown()).toEqual({ status: 'success', message: '', data: [style('anywhere')], redirect: '' });
    expect((await shown('?page_id=widget')).data).toEqual([style('widget')]);
    expect((await shown('?page_id=template')).data).toEqual([style('template')]);
    const id = await write('Without styles');
    expect((await shown(`?page_id=${id}`)).data).toEqual([style('anywhere')]);
  });

  it('are replaced as a whole, with all their members', async () => {
    await save([style('a'), style('b')], { page_id: 'widget' });
    const custom = style('c', { fonts: { family: ['Lora'], weight: [], style: [] }, own: { deep: [1, null] } });
    await save([custom], { page_id: 'widget' });
    expect((await shown('?page_id=widget')).data).toEqual([custom]);
  });

  it.each([
    ['no list', 'p{}'],
    ['a style that is none', ['p{}']],
    ['no key', [{ values: [] }]],
    ['an empty key', [{ key: '', values: [] }]],
    ['no values', [{ key: 'a' }]],
    ['values that are no list', [{ key: 'a', values: 'x' }]],
    ['a name of every object', [JSON.parse('{"key": "a", "values": [{"__proto__": {"x": 1}}]}')]],
    ['more than there can be', Array.from({ length: 1001 }, () => style('a'))],
  ])('are refused for %s', async (_, options) => {
    const position = site.position();
    const answer = await save(options);
    expect([answer.code, answer.data.details.options.code]).toEqual(['rest_invalid_param', 'invalid_param']);
    expect(site.position()).toBe(position);
  });
});

describe('post blocks', () => {
  it('contain all properties of a post', async () => {
    const file = { name: 'seen.png', type: 'image/png', bytes: pngOf(400, 200) };
    const image = (await uploadBody(site, 'author', file, { query: 'alt_text=A%20%22seen%22' })).body;
    const category = await site.make('editor', '/categories', { name: 'Q & A', slug: 'qa' });
    const id = await write('Whole <em>&amp;</em>', {
      ...{ date: '2025-09-07T08:00:00', featured_media: image.id, categories: [category] },
      ...{ content: `<p>${'word '.repeat(50)}</p>`, excerpt: '' },
    });
    const only = { additionalParams: 'id', postIds: [id] };
    const [item] = (await list({ ...only, imagesProportion: 'custom', customImageWidth: 100 })).queriedPostsData;
    const link = item.permalink;
    expect(item).toEqual({
      postID: id,
      blogItemClasses: expect.arrayContaining([`post-${id}`, 'type-post', 'has-post-thumbnail', 'category-qa']),
      isPasswordRequired: false,
      authorAvatar: expect.stringMatching(/^<img [^>]*class="avatar"/),
      authorName: 'editor',
      authorURL: 'http://site.example/author/editor/',
      postCategories: '<a href="http://site.example/category/qa/" rel="category tag">Q &amp; A</a>',
      featuredImage: expect.stringMatching(/^<img src="[^"]*" width="100" height="50" alt="A &quot;seen&quot;"/),
      dateLink: link,
      dateBoxed: '7 Sep',
      date: 'September 7, 2025',
      dateClasses: expect.arrayContaining(['published']),
      passwordForm: '',
      excerpt: `${'word '.repeat(36).slice(0, 179).trimEnd()}…`,
      title: 'Whole &amp;',
      permalink: link,
    });
    const [small] = (await list({ ...only, imagesProportion: 'thumbnail', excerptLength: 6 })).queriedPostsData;
    expect([small.featuredImage, small.excerpt]).toEqual([
      expect.stringContaining('width="150" height="150"'),
      'word…',
    ]);
    const [bare] = (await list({ ...only, excerptLength: 0 })).queriedPostsData;
    expect([bare.featuredImage, bare.excerpt]).toEqual([expect.stringContaining('width="400" height="200"'), '']);
  });

  it('show public posts in any order, with sticky ones in their place', async () => {
    const tag = await site.make('editor', '/tags', { name: 'Ordered' });
    const make = (title: string, more: object) => write(title, { tags: [tag], ...more });
    const b = await make('B', { date: '2026-01-01T00:00:00', sticky: true });
    const c = await make('C', { date: '2026-01-03T00:00:00' });
    const a = await make('A', { date: '2026-01-02T00:00:00', author: 3 });
    for (const status of ['draft', 'pending', 'private']) await make(status, { status });
    await make('Later', { status: 'future', date: '2030-01-01T00:00:00' });
    await site.call('editor', `DELETE /posts/${await make('Thrown away', {})}`);
    const ordered = (more: object) => idsOf({ additionalParams: 'tax', tax: 'post_tag', taxIn: [tag], ...more });
    expect(await ordered({})).toEqual([c, a, b]);
    expect(await ordered({ orderBy: 'date', order: 'ASC' })).toEqual([b, a, c]);
    expect(await ordered({ orderBy: 'title', order: 'ASC' })).toEqual([a, b, c]);
    expect(await ordered({ orderBy: 'id' })).toEqual([a, c, b]);
    expect(await ordered({ orderBy: 'author', order: 'ASC' })).toEqual([b, c, a]);
    site.clock.now += 60_000;
    await site.call('editor', `PUT /posts/${b}`, { content: 'Anew' });
    expect((await ordered({ orderBy: 'modified' }))[0]).toBe(b);
    expect(await ordered({ taxSlug: 'nothing' })).toEqual([]);
    expect(await ordered({ taxSlug: 'ordered', taxIn: [999] })).toEqual([c, a, b]);
    expect(await ordered({ tax: '__proto__' })).toEqual([]);
    expect(await idsOf({ additionalParams: 'author', authorSlug: 'author' })).toContain(a);
    expect(await idsOf({ additionalParams: 'author', authorSlug: 'author' })).not.toContain(b);
  });

  it('show nine posts by default, a hundred at most', async () => {
    const requests = Array.from({ length: 25 }, (_, n) => ({
      ...{ method: 'POST', path: '/cms/v2/posts' },
      body: { title: `Many ${n}`, status: 'publish' },
    }));
    for (let round = 0; round < 5; round++) await callPlugin(site, 'editor', 'POST /batch/v1', { requests });
    const { maxNumPages, queriedPostsData } = await list({});
    expect(queriedPostsData).toHaveLength(9);
    expect(maxNumPages).toBe(
      Math.ceil(Number((await site.call('anonymous', 'GET /posts')).headers.get('x-cms-total')) / 9),
    );
    expect(await idsOf({ postsPerPage: -1 })).toHaveLength(100);
    expect(await idsOf({ postsPerPage: '100', next_page: '2' })).not.toEqual([]);
    const newest = await idsOf({});
    expect(await idsOf({ inheritGlobalQuery: true, postsPerPage: 2, order: 'ASC', additionalParams: 'id' })).toEqual(
      newest,
    );
  });

  it('accept their query as a form', async () => {
    const form = 'queryAttributes[postsPerPage]=2&queryAttributes[order]=ASC&queryAttributes[inheritGlobalQuery]=false';
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const { body } = await site.call('contributor', `POST /cms-json${root}/get-blog-posts`, form, { headers });
    const ids = body.data.queriedPostsData.map(({ postID }: { postID: number }) => postID);
    expect(ids).toEqual(await idsOf({ postsPerPage: 2, order: 'ASC' }));
    expect(ids).toHaveLength(2);
  });

  it('keep the order of named posts, also in random order', async () => {
    const [one, two, three] = [await write('One'), await write('Two'), await write('Three')];
    const named = { additionalParams: 'id', postIds: `${two}, ${three},${one},999999` };
    expect(await idsOf(named)).toEqual([two, three, one]);
    expect(await idsOf({ ...named, orderBy: 'rand' })).toEqual([two, three, one]);
    expect(await idsOf({ ...named, postsPerPage: 2, next_page: 2 })).toEqual([one]);
    expect(await list({ additionalParams: 'id' })).toEqual({ maxNumPages: 0 });
  });

  it('in random order contain each post once across pages, and are repeatable', async () => {
    const tag = await site.make('editor', '/tags', { name: 'Drawn' });
    const all: number[] = [];
    for (let n = 0; n < 12; n++) all.push(await write(`Drawn ${n}`, { tags: [tag] }));
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 13 }), async (postsPerPage) => {
        const wanted = { additionalParams: 'tax', tax: 'post_tag', taxIn: [tag], orderBy: 'rand', postsPerPage };
        const pages = [];
        for (let page = 1; page <= Math.ceil(12 / postsPerPage); page++) {
          pages.push(await idsOf({ ...wanted, next_page: page }));
        }
        expect(pages.flat().toSorted((a, b) => a - b)).toEqual(all);
        expect(await idsOf({ ...wanted, next_page: 1 })).toEqual(pages[0]);
      }),
      { numRuns: 6 },
    );
  });
});

describe('rendered comments', () => {
  it('have an allowed heading element, and a form only on request', async () => {
    const postID = await write('Talked of');
    const render = async (attributes: object) =>
      (await call(`POST ${root}/render-comments`, { postID, attributes })).body.data;
    for (const tag of ['h1', 'h6', 'p', 'span', 'ul', 'ol', 'div']) {
      expect(await render({ showCommentsForm: true, titleTag: tag })).toContain(`<${tag} class="comment-reply-title">`);
    }
    for (const titleTag of ['script', 'h7', 'H2', '__proto__', '']) {
      expect(await render({ showCommentsForm: true, titleTag })).toContain('<h3 class="comment-reply-title">');
    }
    expect(await render({})).toBe('');
    expect(await render({ showCommentsForm: 'false', showCommentsList: 'true' })).toBe('');
  });

  it('are the approved ones, also when comments are closed', async () => {
    const post = await write('Discussed');
    const comment = (content: string, more: object = {}) =>
      site.make('editor', '/comments', { post, content, ...more });
    const first = await comment('<p>Well <em>said</em></p>');
    await comment('An answer', { parent: first });
    await comment('Nobody sees this', { status: 'hold' });
    const render = async (attributes: object = { showCommentsList: true }) =>
      (await call(`POST ${root}/render-comments`, { postID: post, attributes })).body.data;
    const shown = await render();
    expect(shown).toMatch(/Well <em>said<\/em>[\s\S]*An answer/);
    expect(shown).not.toContain('Nobody sees');
    expect(await render({ showCommentsForm: true })).not.toContain('Well');
    await site.call('editor', `POST /posts/${post}`, { comment_status: 'closed' });
    expect(await render()).toMatch(/An answer[\s\S]*Comments are closed/);
    await site.call('editor', `POST /posts/${post}`, { password: 'secret' });
    expect(await render()).not.toContain('Well');
  });

  it('can be written with the form', async () => {
    const own = await startPluginSite('A', {}, { env: { VISITOR_COMMENTS: '5' } });
    onTestFinished(() => own.close());
    const postID = await own.make('editor', '/posts', { title: 'Open', content: 'x', status: 'publish' });
    const sent = { postID, attributes: { showCommentsForm: true } };
    const form: string = (await callPlugin(own, 'contributor', `POST ${root}/render-comments`, sent)).body.data;
    const action = new URL(/action="([^"]+)"/.exec(form)?.[1] ?? '').pathname;
    const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="(\w+)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]);
    const visible = [...form.matchAll(/<(?:input|textarea) name="(\w+)"/g)].map(([, name = '']) => name);
    expect(visible.sort()).toEqual(['author_email', 'author_name', 'content']);
    const fields = {
      ...Object.fromEntries(hidden),
      author_name: 'Ada',
      author_email: 'ada@example.org',
      content: 'Hello',
    };
    const send = (body: Record<string, string>) =>
      fetch(`http://127.0.0.1:${own.port}${action}`, {
        method: 'POST',
        body: new URLSearchParams(body),
        redirect: 'manual',
      });
    expect((await send({ ...fields, author_email: 'nowhere' })).status).toBe(400);
    expect((await send(fields)).status).toBe(303);
    const { body } = await own.call('editor', 'GET /comments?status=hold');
    expect(body[0]).toMatchObject({ post: postID, author_name: 'Ada' });
  });
});

describe('a resized image', () => {
  const resize = async (image_id: unknown, custom_size: unknown) =>
    (await call(`POST ${root}/resize-image`, { image_id, custom_size })).body;

  it('is never larger than the original', async () => {
    const { body } = await uploadBody(site, 'author', { name: 'small.png', type: 'image/png', bytes: pngOf(12, 8) });
    const { data } = await resize(body.id, { width: 5000, height: 4 });
    expect(data).toEqual({ url: body.source_url.replace('.png', '-12x4.png'), width: 12, height: 4 });
  });

  it('has at most a hundred sizes', async () => {
    const { body } = await uploadBody(site, 'author', { name: 'cuts.png', type: 'image/png', bytes: pngOf(150, 2) });
    const cuts = await Promise.all(Array.from({ length: 100 }, (_, n) => resize(body.id, { width: n + 1, height: 1 })));
    expect(cuts.filter(({ status }) => status === 'success')).toHaveLength(100);
    expect(await resize(body.id, { width: 101, height: 1 })).toMatchObject({ status: 'error', data: [] });
    expect(await resize(body.id, { width: 100, height: 1 })).toEqual(cuts[99]);
  });

  it.each<object>([
    ...[{}, { width: 5 }, { width: 5, height: 0 }, { width: 5, height: -5 }, { width: 5, height: '5px' }],
    ...[
      { width: 1e300, height: 1.5 },
      { width: true, height: null },
      { width: [5], height: {} },
    ],
  ])('is refused in the size %j', async (size) => {
    const { body } = await uploadBody(site, 'author', { name: 'odd.png', type: 'image/png', bytes: pngOf(4, 4) });
    const position = site.position();
    expect(await resize(body.id, size)).toMatchObject({ status: 'error', data: [] });
    expect(site.position()).toBe(position);
  });

  it('must be an image', async () => {
    const { body } = await uploadBody(site, 'author', { name: 'words.txt', type: 'text/plain', bytes: 'words' });
    const position = site.position();
    expect(await resize(body.id, { width: 5, height: 5 })).toEqual({
      ...{ status: 'error', message: 'This is no image that can be resized.', data: [], redirect: '' },
    });
    expect(site.position()).toBe(position);
  });
});
