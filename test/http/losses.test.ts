import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entries } from '#projections/entries/definition.ts';
import { dump } from '../support/node.ts';
import { type Site, startSite } from '../support/site.ts';
import { pngOf, uploadBody } from '../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const make = (path: string, name: string) => site.make('administrator', path, { name });
const post = (more: Readonly<Record<string, unknown>>) =>
  site.make('editor', '/posts', { title: 'Post', content: 'Amber', status: 'publish', ...more });
const shown = async (id: number, query = '') => {
  const { headers, body } = await site.call('editor', `GET /posts/${id}${query}`);
  const { categories, tags, featured_media: image } = body;
  return { etag: headers.get('etag'), categories, tags, image };
};
const found = async (query: string) => {
  const { headers, body } = await site.call('editor', `GET /posts?orderby=id&order=asc&per_page=100&${query}`);
  return { total: headers.get('x-cms-total'), ids: body.map(({ id }: { id: number }) => id) };
};
const count = async (path: string) => (await site.call('editor', `GET ${path}`)).body.count;
const settle = () => {
  while (site.node.work());
};

describe('deleting a term', () => {
  it('removes it from posts or replaces it by the default category in every answer, also after a restart', async () => {
    const [lost, kept, tag] = [
      await make('/categories', 'Lost'),
      await make('/categories', 'Kept'),
      await make('/tags', 'T'),
    ];
    const alone = await post({ categories: [lost], tags: [tag] });
    const both = await post({ categories: [lost, kept] });
    const draft = await post({ categories: [lost], status: 'draft' });
    const other = await post({ categories: [kept] });
    settle();
    const before = await Promise.all([alone, both, draft, other].map((id) => shown(id)));
    const [position, defaults] = [site.position(), await count('/categories/1')];

    await site.call('administrator', `DELETE /categories/${lost}?force=true`);
    await site.call('administrator', `DELETE /tags/${tag}?force=true`);
    const check = async () => {
      const after = await Promise.all([alone, both, draft, other].map((id) => shown(id)));
      expect(after.map(({ categories, tags }) => [categories, tags])).toEqual([
        [[1], []],
        [[kept], []],
        [[1], []],
        [[kept], []],
      ]);
      expect(after.map(({ etag }, i) => etag === before[i]?.etag)).toEqual([false, false, false, true]);
      expect(await found(`categories=${lost}`)).toEqual({ total: '0', ids: [] });
      expect((await found('categories=1')).ids).toContain(alone);
      expect((await found(`categories=${kept}`)).ids).toEqual([both, other]);
      expect((await found(`tags=${tag}`)).ids).toEqual([]);
      expect(await count('/categories/1')).toBe(defaults + 1);
      const then = await Promise.all([alone, both, draft, other].map((id) => shown(id, `?as_of=${position}`)));
      expect(then.map(({ categories, tags }) => [categories, tags])).toEqual(
        before.map((row) => [row.categories, row.tags]),
      );
      expect((await found(`categories=${lost}&as_of=${position}`)).ids).toEqual([alone, both]);
      expect((await found(`search=amber&categories=${lost}&as_of=${position}`)).ids).toEqual([alone, both]);
      return after.map(({ etag }) => etag);
    };
    const etags = await check();
    settle();
    expect(await check()).toEqual(etags);
    await site.restart();
    expect(await check()).toEqual(etags);
  });

  it('applies to posts changed since, and keeps the default category they received', async () => {
    const [first, second, tag] = [
      await make('/categories', 'First'),
      await make('/categories', 'Second'),
      await make('/tags', 'U'),
    ];
    const id = await post({ categories: [first, second], tags: [tag] });
    await site.call('administrator', `DELETE /categories/${first}?force=true`);
    await site.call('editor', `PUT /posts/${id}`, { title: 'Changed' });
    const { etag } = await shown(id);
    const refused = await site.call('editor', `PUT /posts/${id}`, { title: 'No' }, { headers: { 'if-match': '"0"' } });
    expect(refused.status).toBe(412);
    await site.call('administrator', `DELETE /categories/${second}?force=true`);
    expect(await shown(id)).toMatchObject({ categories: [1], tags: [tag] });
    expect((await shown(id)).etag).not.toBe(etag);
    await site.call('administrator', `DELETE /tags/${tag}?force=true`);
    await site.call('editor', `PUT /posts/${id}`, { sticky: true });
    expect(await shown(id)).toMatchObject({ categories: [1], tags: [] });
    expect((await found('categories=1')).ids).toContain(id);
  });

  it('writes no rows of posts', async () => {
    const [category, tag] = [await make('/categories', 'Many'), await make('/tags', 'V')];
    const { id: image } = (await uploadBody(site, 'editor', { name: 'a.png', type: 'image/png', bytes: pngOf(2, 2) }))
      .body;
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push(await post({ categories: [category], tags: [tag], featured_media: image }));
    settle();
    const rows = () => dump(site.directory)['entries'];
    const before = rows();
    for (const path of [`/categories/${category}`, `/tags/${tag}`, `/media/${image}`]) {
      expect((await site.call('administrator', `DELETE ${path}?force=true`)).status).toBe(200);
    }
    expect(rows()).toEqual(before);
    for (const id of ids) expect(await shown(id)).toMatchObject({ categories: [1], tags: [], image: 0 });
  });
});

describe('deleting categories one after the other', () => {
  it('shows the posts of an earlier position in the category that they had passed to', async () => {
    const category = (name: string) => site.make('editor', '/categories', { name });
    const [first, second, third] = [await category('First'), await category('Second'), await category('Third')];
    const id = await post({ categories: [first] });
    const passTo = async (heir: number, from: number) => {
      await site.call('administrator', 'POST /settings', { default_category: heir });
      expect((await site.call('administrator', `DELETE /categories/${from}?force=true`)).status).toBe(200);
    };
    const seen = async (asOf = '') => {
      const lists = [second, third].map((one) => site.call('editor', `GET /posts?categories=${one}${asOf}`));
      const counts = [second, third].map((one) => site.call('editor', `GET /categories/${one}?_fields=count${asOf}`));
      const ids = (await Promise.all(lists)).map(({ body }) => body.map((found: { id: number }) => found.id));
      return [ids, (await Promise.all(counts)).map(({ body }) => body.count)];
    };
    await passTo(second, first);
    const [then, position] = [await seen(), site.position()];
    expect(then).toEqual([
      [[id], []],
      [1, 0],
    ]);
    await passTo(third, second);
    expect(await seen(`&as_of=${position}`)).toEqual(then);
    await site.call('administrator', 'POST /settings', { default_category: 1 });
  });
});

describe('deleting a featured image', () => {
  it('removes it from posts, but not from their past', async () => {
    const { id: image } = (await uploadBody(site, 'editor', { name: 'b.png', type: 'image/png', bytes: pngOf(2, 2) }))
      .body;
    const id = await post({ featured_media: image });
    settle();
    const [before, position] = [await shown(id), site.position()];
    await site.call('administrator', `DELETE /media/${image}?force=true`);
    expect(await shown(id)).toMatchObject({ image: 0 });
    expect((await shown(id)).etag).not.toBe(before.etag);
    expect(await shown(id, `?as_of=${position}`)).toMatchObject({ image });
    settle();
    expect(await shown(id)).toMatchObject({ image: 0 });
  });
});

describe('deleting a user with posts', () => {
  let number = 0;
  /** Creates a user with a published post, a draft, a trashed post and a page. */
  const writer = async () => {
    number += 1;
    const login = `writer${number}`;
    const sent = { username: login, email: `${login}@example.org`, password: 'x', roles: ['author'] };
    const author = await site.make('administrator', '/users', sent);
    const published = await post({ author, title: `Of ${login}`, sticky: true, categories: [1] });
    const draft = await post({ author, title: `Draft of ${login}`, status: 'draft', slug: `draft-of-${login}` });
    const trashed = await post({ author, title: `Gone of ${login}` });
    await site.call('editor', `DELETE /posts/${trashed}`);
    const page = await site.make('editor', '/pages', { author, title: `Page of ${login}`, status: 'publish' });
    return { login, author, published, draft, trashed, page };
  };
  const remove = (author: number, heir: number | false) =>
    site.call('administrator', `DELETE /users/${author}?force=true&reassign=${heir}`);
  const seen = async (path: string, query = '') => {
    const { headers, body } = await site.call('editor', `GET ${path}?context=edit${query}`);
    const { author, status, slug, sticky, categories, code } = body;
    return { etag: headers.get('etag'), author, status, slug, sticky, categories, code };
  };
  const publishedBy = (id: number) => site.node.store.reader.user(id)?.published;
  const [EDITOR, AUTHOR] = [2, 3];

  it('gives the posts to the heir in every answer, also after a restart', async () => {
    const { author, published, draft, trashed, page } = await writer();
    const other = await post({ author: EDITOR });
    settle();
    const paths = [`/posts/${published}`, `/posts/${draft}`, `/posts/${trashed}`, `/pages/${page}`];
    const before = await Promise.all(paths.map((path) => seen(path)));
    const [position, had, elsewhere] = [site.position(), publishedBy(EDITOR) ?? 0, await seen(`/posts/${other}`)];
    expect((await remove(author, EDITOR)).status).toBe(200);
    expect(site.position()).toBe(position + 1);
    const check = async () => {
      const after = await Promise.all(paths.map((path) => seen(path)));
      const expected = before.map((row, i) => ({ ...row, author: EDITOR, etag: after[i]?.etag }));
      expect(after).toEqual(expected);
      expect(after.some(({ etag }, i) => etag === before[i]?.etag)).toBe(false);
      expect(await seen(`/posts/${other}`)).toEqual(elsewhere);
      expect((await found(`author=${author}&status=any`)).total).toBe('0');
      const all = await found(`author=${EDITOR}&status=any`);
      expect(all.ids).toEqual(expect.arrayContaining([published, draft]));
      expect((await found('orderby=author&order=asc&status=any')).ids).toContain(published);
      expect(publishedBy(EDITOR)).toBe(had + 2);
      expect((await seen(`/posts/${draft}`, `&as_of=${position}`)).author).toBe(author);
      expect((await found(`author=${author}&status=any&as_of=${position}`)).ids).toEqual([published, draft]);
      return after;
    };
    const shownAfter = await check();
    settle();
    expect(await check()).toEqual(shownAfter);
    await site.restart();
    expect(await check()).toEqual(shownAfter);
  });

  it('trashes posts and pages without an heir; they keep their author', async () => {
    const { login, author, published, draft, trashed, page } = await writer();
    settle();
    const count1 = await count('/categories/1');
    const position = site.position();
    expect((await remove(author, false)).body).toMatchObject({ deleted: true, previous: { username: login } });
    expect(site.position()).toBe(position + 1);
    const check = async () => {
      const slug = `of-${login}`;
      const lost = { author, status: 'trash', sticky: false };
      expect(await seen(`/posts/${published}`)).toMatchObject({ ...lost, slug: `${slug}__trashed`, categories: [1] });
      expect(await seen(`/posts/${draft}`)).toMatchObject({ ...lost, slug: `draft-${slug}__trashed` });
      expect(await seen(`/pages/${page}`)).toMatchObject({ author, status: 'trash', slug: `page-${slug}__trashed` });
      expect(await seen(`/posts/${trashed}`)).toMatchObject({ author, status: 'trash' });
      expect((await site.call('anonymous', `GET /posts/${published}`)).status).toBe(401);
      expect((await found(`slug=${slug}&status=any`)).ids).toEqual([]);
      expect((await found(`slug=${slug}__trashed&status=trash`)).ids).toEqual([published]);
      expect((await found(`author=${author}&status=trash`)).ids).toEqual([published, draft, trashed]);
      expect((await found(`search=amber&author=${author}&status=trash`)).ids).toEqual([published, draft, trashed]);
      expect((await found('sticky=true')).ids).not.toContain(published);
      expect(await count('/categories/1')).toBe(count1 - 1);
      expect((await seen(`/posts/${published}`, `&as_of=${position}`)).status).toBe('publish');
      expect((await found(`slug=${slug}&as_of=${position}`)).ids).toEqual([published]);
    };
    await check();
    settle();
    await check();
    await site.restart();
    await check();
  });

  it('frees the slugs of trashed posts, which can be restored', async () => {
    const { login, author, published, draft } = await writer();
    const slug = `of-${login}`;
    await remove(author, 0);
    expect((await seen(`/posts/${await post({ title: `Of ${login}` })}`)).slug).toBe(slug);
    const restored = await site.call('editor', `PUT /posts/${published}`, { status: 'publish', author: EDITOR });
    expect(restored.body).toMatchObject({ status: 'publish', slug: `${slug}-2`, author: EDITOR });
    const back = await site.call('editor', `PUT /posts/${draft}`, { status: 'draft' });
    expect(back.body).toMatchObject({ status: 'draft', slug: `draft-${slug}`, author });
    const again = await site.call('editor', `DELETE /posts/${draft}`);
    expect(again.body).toMatchObject({ status: 'trash', slug: `draft-${slug}__trashed` });
  });

  it('passes on inherited posts, and finally trashes them', async () => {
    const [first, second, third] = [await writer(), await writer(), await writer()];
    const { id: file } = (await uploadBody(site, 'editor', { name: 'c.png', type: 'image/png', bytes: pngOf(2, 2) }))
      .body;
    await site.call('editor', `PUT /media/${file}`, { author: first.author });
    await remove(first.author, second.author);
    expect((await seen(`/media/${file}`)).author).toBe(second.author);
    await remove(second.author, third.author);
    expect((await seen(`/posts/${first.published}`)).author).toBe(third.author);
    expect(publishedBy(third.author)).toBe(6);
    await remove(third.author, 0);
    for (const { published } of [first, second, third]) {
      expect(await seen(`/posts/${published}`)).toMatchObject({ author: third.author, status: 'trash' });
    }
    expect(await seen(`/media/${file}`)).toMatchObject({ author: third.author, status: 'inherit' });
  });

  it('trashes comments on their posts, but not the comments of the user elsewhere', async () => {
    const { author } = await writer();
    const [own, other] = [await post({ author }), await post({})];
    const comment = (on: number, more = {}) =>
      site.make('administrator', '/comments', { post: on, content: `On ${on}`, ...more });
    const [below, spam, elsewhere] = [
      await comment(own),
      await comment(own, { content: 'Buy', status: 'spam' }),
      await comment(other, { author, status: 'approved' }),
    ];
    const status = async (id: number, query = '') =>
      (await site.call('administrator', `GET /comments/${id}${query}`)).body.status;
    const total = async (of: string) =>
      (await site.call('administrator', `GET /comments?post=${own}&status=${of}`)).headers.get('x-cms-total');
    const before = site.position();
    await remove(author, 0);
    const after = site.position();
    const check = async () => {
      expect(await Promise.all([below, spam, elsewhere].map((id) => status(id)))).toEqual([
        'post-trashed',
        'post-trashed',
        'approved',
      ]);
      expect([await total('approve'), await total('spam'), await total('post-trashed')]).toEqual(['0', '0', '2']);
      expect([await status(below, `?as_of=${before}`), await status(spam, `?as_of=${before}`)]).toEqual([
        'approved',
        'spam',
      ]);
      expect(await status(below, `?as_of=${after}`)).toBe('post-trashed');
    };
    await check();
    await site.restart();
    await check();
    await site.call('administrator', `PUT /posts/${own}`, { status: 'publish' });
    await check();
    await site.call('administrator', `PUT /comments/${below}`, { status: 'approved' });
    expect([await status(below), await total('approve')]).toEqual(['approved', '1']);
  });

  it('hides images whose only public host was trashed', async () => {
    const { author } = await writer();
    const host = await post({ author });
    const { body: picture } = await uploadBody(site, 'editor', {
      name: 'd.png',
      type: 'image/png',
      bytes: pngOf(20, 20),
    });
    await site.call('administrator', `PUT /media/${picture.id}`, { post: host });
    const shows = await post({ featured_media: picture.id });
    const embedded = async () => {
      const { body } = await site.call('anonymous', `GET /posts/${shows}?_embed=cms:featuredmedia`);
      return body._embedded?.['cms:featuredmedia']?.[0]?.source_url ?? null;
    };
    settle();
    expect(await embedded()).not.toBeNull();
    await remove(author, 0);
    expect(await embedded()).toBeNull();
    settle();
    expect(await embedded()).toBeNull();
  });

  it('cancels scheduled posts', async () => {
    const { author } = await writer();
    const date = new Date(site.clock.now + 60_000).toISOString().slice(0, 19);
    const id = await post({ author, date_gmt: date, status: 'future' });
    await remove(author, 0);
    expect(site.node.store.reader.of(entries).nextDue()).toBeNull();
    site.clock.now += 120_000;
    expect(site.node.store.reader.of(entries).due('2099-01-01T00:00:00')).toEqual([]);
    expect((await seen(`/posts/${id}`)).status).toBe('trash');
  });

  it('writes no rows of posts', async () => {
    const [one, two] = [await writer(), await writer()];
    settle();
    const rows = () => dump(site.directory)['entries'];
    const before = rows();
    await remove(one.author, AUTHOR);
    await remove(two.author, 0);
    expect(rows()).toEqual(before);
  });
});
