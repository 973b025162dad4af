import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, type Site, startSite } from '../../support/site.ts';

describe('blocks that list stored items', () => {
  let site: Site;
  let category = 0;
  beforeAll(async () => {
    site = await startSite();
    category = await site.make('editor', '/categories', { name: 'Listed' });
    const all = { categories: [category], status: 'publish' };
    await site.make('editor', '/posts', { ...all, title: 'Open', date: '2001-02-03T04:05:06' });
    await site.make('editor', '/posts', {
      ...all,
      title: 'Locked',
      password: 'p',
      content: 'Secret',
      date: '2001-02-04T00:00:00',
    });
    await site.make('editor', '/posts', {
      ...all,
      title: 'Private',
      status: 'private',
      content: 'Hidden',
      date: '2001-03-01T00:00:00',
    });
    await site.make('author', '/posts', { ...all, title: 'Own', status: 'private', date: '2002-01-01T00:00:00' });
    await site.make('editor', '/posts', { ...all, title: 'Draft', status: 'draft' });
  });
  afterAll(() => site.close());

  const query = (inside: string, more = {}) => {
    const asked = { perPage: 10, postType: 'post', inherit: false, taxQuery: { category: [category] }, ...more };
    return `<!-- wp:query ${JSON.stringify({ queryId: 3, query: asked })} --><div>${inside}</div><!-- /wp:query -->`;
  };
  const template = (inside: string) => `<!-- wp:post-template -->${inside}<!-- /wp:post-template -->`;
  const title = '<!-- wp:post-title /-->';
  const shown = async (content: string, as: As = 'anonymous', more = '') => {
    const id = await site.make('editor', '/posts', { title: 'List', content, status: 'publish' });
    const { body } = await site.call(as, `GET /posts/${id}?_fields=content${more}`);
    await site.call('editor', `DELETE /posts/${id}?force=true`);
    return (body as { content: { rendered: string } }).content.rendered;
  };
  const titles = (html: string) => [...html.matchAll(/post-title">(?:<[^>]*>)?([^<]*)</g)].map(([, text]) => text);

  it('show what the viewer may read, and no protected content', async () => {
    const content = query(template(`${title}<!-- wp:post-excerpt /--><!-- wp:post-content /-->`));
    const anonymous = await shown(content);
    expect(titles(anonymous)).toEqual(['Protected: Locked', 'Open']);
    expect(anonymous).toContain('There is no excerpt because this is a protected post.');
    expect(anonymous).not.toContain('Secret');
    expect(titles(await shown(content, 'author'))).toEqual(['Private: Own', 'Protected: Locked', 'Open']);
    expect(titles(await shown(content, 'editor'))).toEqual([
      'Private: Own',
      'Private: Private',
      'Protected: Locked',
      'Open',
    ]);
  });

  it('show no footnotes of a protected post', async () => {
    const id = await site.make('editor', '/posts', {
      ...{ title: 'Noted', status: 'publish', password: 'p', categories: [category], date: '2000-01-01T00:00:00' },
      meta: { footnotes: '[{"id":"f1","content":"A secret note"}]' },
    });
    const bound = '{"metadata":{"bindings":{"content":{"source":"core/post-meta","args":{"key":"footnotes"}}}}}';
    const notes = `<!-- wp:footnotes /--><!-- wp:paragraph ${bound} --><p></p><!-- /wp:paragraph -->`;
    expect(await shown(query(template(notes)))).not.toContain('secret note');
    await site.call('editor', `DELETE /posts/${id}?force=true`);
  });

  it('lead through pages that the viewer may read alone', async () => {
    let parent = 0;
    for (const [title, status] of [
      ['Open plan', 'publish'],
      ['Secret plan', 'draft'],
      ['Private plan', 'private'],
    ]) {
      parent = await site.make('editor', '/pages', { title, status, parent });
    }
    const page = { title: 'Below', status: 'publish', parent, content: '<!-- wp:breadcrumbs /-->' };
    const id = await site.make('editor', '/pages', page);
    const plans = async (as: As) =>
      (await site.call(as, `GET /pages/${id}`)).body.content.rendered.match(/[A-Z][a-z:]+(?: [A-Z][a-z]+)? plan/g);
    expect(await plans('anonymous')).toEqual(['Open plan']);
    expect(await plans('editor')).toEqual(['Open plan', 'Private: Private plan']);
  });

  it('lead through the page of posts, if one shows them', async () => {
    const [front, list] = await Promise.all(
      ['Welcome', 'News'].map((name) => site.make('editor', '/pages', { title: name, status: 'publish' })),
    );
    const crumbs = async () => (await shown('<!-- wp:breadcrumbs /-->')).match(/(?<=\/">)[^<]+/g);
    expect(await crumbs()).toEqual(['Home', 'Uncategorized']);
    const settings = { show_on_front: 'page', page_on_front: front, page_for_posts: list };
    await site.call('administrator', 'POST /settings', settings);
    expect(await crumbs()).toEqual(['Home', 'News', 'Uncategorized']);
    await site.call('administrator', 'POST /settings', { show_on_front: 'posts', page_on_front: 0, page_for_posts: 0 });
  });

  it('are cached per viewer, and updated by any change', async () => {
    const id = await site.make('editor', '/posts', { title: 'L', content: query(template(title)), status: 'publish' });
    const read = async (as: As) => {
      const { body } = await site.call(as, `GET /posts/${id}`);
      return titles((body as { content: { rendered: string } }).content.rendered);
    };
    for (let i = 0; i < 3; i++) {
      expect(await read('anonymous')).toEqual(['Protected: Locked', 'Open']);
      expect(await read('editor')).toHaveLength(4);
    }
    const more = { title: 'More', categories: [category], status: 'publish', date: '2000-01-01T00:00:00' };
    const other = await site.make('editor', '/posts', more);
    expect(await read('anonymous')).toEqual(['Protected: Locked', 'Open', 'More']);
    await site.call('editor', `DELETE /posts/${other}?force=true`);
    expect(await read('anonymous')).toEqual(['Protected: Locked', 'Open']);
    await site.call('editor', `DELETE /posts/${id}?force=true`);
  });

  it('show the items as of the requested position', async () => {
    const id = await site.make('editor', '/posts', {
      title: 'L',
      content: `${query(template(title))}<!-- wp:categories {"showPostCounts":true} /-->`,
      status: 'publish',
    });
    const then = site.position();
    const more = { title: 'Later', categories: [category], status: 'publish', date: '2003-01-01T00:00:00' };
    const other = await site.make('editor', '/posts', more);
    const read = async (path: string) => {
      const { body } = await site.call('editor', `GET ${path}`);
      const record = Array.isArray(body) ? body[0] : body;
      return (record as { content: { rendered: string } }).content.rendered;
    };
    const now = await read(`/posts/${id}`);
    expect(titles(now)).toEqual(['Later', 'Private: Own', 'Private: Private', 'Protected: Locked', 'Open']);
    expect(now).toContain('Listed</a> (3)');
    for (const path of [`/posts/${id}?as_of=${then}`, `/posts?include=${id}&as_of=${then}`]) {
      expect(titles(await read(path))).toEqual(['Private: Own', 'Private: Private', 'Protected: Locked', 'Open']);
      expect(await read(path)).toContain('Listed</a> (2)');
    }
    for (const one of [id, other]) await site.call('editor', `DELETE /posts/${one}?force=true`);
  });

  it('page through a query by a request parameter', async () => {
    const links =
      '<!-- wp:query-pagination --><!-- wp:query-pagination-previous /--><!-- wp:query-pagination-numbers {"midSize":1} /--><!-- wp:query-pagination-next /--><!-- /wp:query-pagination -->';
    const content = query(`${template(title)}${links}<!-- wp:query-total /-->`, { perPage: 1 });
    const first = await shown(content, 'editor');
    expect(titles(first)).toEqual(['Private: Own']);
    expect(first).toContain('>4 results found<');
    expect(first).not.toContain('Previous Page');
    expect(first).toContain(
      '<span aria-current="page" class="page-numbers current">1</span>\n<a class="page-numbers" href="?query-3-page=2&#038;_fields=content">2</a>\n<span class="page-numbers dots">&hellip;</span>\n<a class="page-numbers" href="?query-3-page=4&#038;_fields=content">4</a>',
    );
    const third = await shown(content, 'editor', '&query-3-page=3');
    expect(titles(third)).toEqual(['Protected: Locked']);
    expect(third).toMatch(
      /href="\/cms-json\/cms\/v2\/posts\/\d+\?_fields=content&#038;query-3-page=2"[^>]*>Previous Page/,
    );
    expect(await shown(content, 'editor', '&query-3-page=99')).toContain('>0 results found<');
  });

  it('filter and sort queries by their attributes', async () => {
    const found = async (more: object, as: As = 'editor') => titles(await shown(query(template(title), more), as));
    expect(await found({ order: 'asc', orderBy: 'title' })).toEqual([
      'Protected: Locked',
      'Open',
      'Private: Own',
      'Private: Private',
    ]);
    expect(await found({ offset: 2 })).toEqual(['Protected: Locked', 'Open']);
    expect(await found({ author: '3' })).toEqual(['Private: Own']);
    expect(await found({ search: 'Hidden' })).toEqual(['Private: Private']);
    expect(await found({ search: 'Secret' }, 'anonymous')).toEqual([]);
    expect(await found({ taxQuery: { exclude: { category: [category] } } }, 'anonymous')).not.toContain('Open');
    expect(await found({ taxQuery: { post_tag: [category] } })).toEqual([]);
    expect(await found({ inherit: true })).toEqual([]);
    expect(await found({ sticky: 'only' })).toEqual([]);
  });

  it('are grids where their attributes say so', async () => {
    const flex = query(template(title)).replace('{"queryId"', '{"displayLayout":{"type":"flex","columns":3},"queryId"');
    expect(await shown(flex)).toContain('<ul class="is-flex-container columns-3 wp-block-post-template ');
    expect(await shown('<!-- wp:latest-posts {"postLayout":"grid","backgroundColor":"b"} /-->')).toContain(
      '<ul class="wp-block-latest-posts__list is-grid columns-3 wp-block-latest-posts has-background ',
    );
  });

  it('list archives, categories and tags', async () => {
    expect(await shown('<!-- wp:archives {"type":"yearly","showPostCounts":true} /-->')).toContain(
      "<li><a href='http://site.example/2001/'>2001</a>&nbsp;(2)</li>\n</ul>",
    );
    expect(await shown('<!-- wp:archives /-->')).toContain(
      "\t<li><a href='http://site.example/2001/02/'>February 2001</a></li>\n",
    );
    expect(await shown('<!-- wp:archives {"type":"daily"} /-->')).toContain("/2001/02/04/'>February 4, 2001</a>");
    expect(await shown('<!-- wp:archives {"type":"weekly"} /-->')).toContain(
      "<a href='http://site.example/?m=2001&#038;w=5'>January 29, 2001&#8211;February 4, 2001</a>",
    );
    expect(await shown('<!-- wp:categories /-->')).toContain(
      `\t<li class="cat-item cat-item-${category}"><a href="http://site.example/category/listed/">Listed</a>\n</li>\n`,
    );
    expect(await shown('<!-- wp:tag-cloud {"taxonomy":"category"} /-->')).toContain(
      `class="tag-cloud-link tag-link-${category} tag-link-position-1" style="font-size: 22pt;" aria-label="Listed (2 items)">Listed</a>`,
    );
  });

  it('do not nest the post they are in', async () => {
    const inner = '<!-- wp:latest-posts {"displayPostContent":true,"displayPostContentRadio":"full_post"} /-->';
    const html = await shown(inner + query(template('<!-- wp:post-content /-->'), { taxQuery: null }));
    expect(html.length).toBeLessThan(200_000);
  });
});

describe('texts that demand too much', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite({ readers: {} });
    const requests = Array.from({ length: 25 }, (_, i) => ({
      path: '/cms/v2/posts',
      method: 'POST',
      body: { title: `Post ${i}`, content: 'Text', status: 'publish' },
    }));
    for (let i = 0; i < 3; i++) await site.call('editor', 'POST /cms-json/batch/v1', { requests });
  });
  afterAll(() => site.close());

  const query = (inside: string) =>
    `<!-- wp:query {"query":{"perPage":100,"inherit":false}} --><!-- wp:post-template -->${inside}<!-- /wp:post-template --><!-- /wp:query -->`;
  const texts: Readonly<Record<string, string>> = {
    'many lists': Array.from({ length: 1000 }, (_, i) => `<!-- wp:latest-posts {"className":"c${i}"} /-->`).join(''),
    'queries in queries': query(query(query('<!-- wp:post-title /-->'))),
    'many words': '[audio src="http://a/b.mp3"] '.repeat(20_000),
  };

  it.each(Object.entries(texts))('have bounded answers, and let quick requests go first: %s', async (_, content) => {
    const id = await site.make('editor', '/posts', { title: 'Much', content, status: 'publish' });
    const order: string[] = [];
    const long = site.call('anonymous', `GET /posts/${id}`).then((answer) => {
      order.push('long');
      return answer;
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    await site.call('anonymous', 'GET /cms-json').then(() => order.push('quick'));
    const { status, text } = await long;
    expect(status).toBe(200);
    expect(text.length).toBeLessThan(12_000_000);
    expect(order).toEqual(['quick', 'long']);
    const again = await site.call('anonymous', `GET /posts/${id}?_=1`);
    expect(again.text).toBe(text);
    await site.call('editor', `DELETE /posts/${id}?force=true`);
  });

  it('are rendered like short ones', async () => {
    const short =
      '<!-- wp:gallery --><figure></figure><!-- /wp:gallery --><!-- wp:latest-posts {"postsToShow":1} /-->[audio src="http://a/b.mp3"]\n<!-- wp:paragraph {"style":{"elements":{"link":{"color":{"text":"#1"}}}}} --><p>[[gallery]] "x" [caption id="a" width="9"]<img src="x">y[/caption]</p><!-- /wp:paragraph --><!-- wp:post-title {"style":{"elements":{"link":{"color":{"text":"#1"}}}}} /-->';
    const filler = `<!-- wp:paragraph --><p>${'word '.repeat(4000)}</p><!-- /wp:paragraph -->`;
    const rendered = async (content: string) => {
      const id = await site.make('editor', '/posts', { title: 'Same', content, status: 'draft' });
      const { body } = await site.call('editor', `GET /posts/${id}`);
      await site.call('editor', `DELETE /posts/${id}?force=true`);
      return (body as { content: { rendered: string } }).content.rendered.replaceAll(`-${id}-`, '-id-');
    };
    const here = await rendered(`${short}${short}`);
    const elsewhere = await rendered(`${short}${filler}${short}`);
    expect(elsewhere.replace(/<p class="wp-block-paragraph">word [^<]*<\/p>/, '')).toBe(here);
  });
});
