import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, SITE, type Site, startSite } from '../support/site.ts';
import { pngOf, uploadBody } from '../support/uploads.ts';

describe('rendered texts with dependencies', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());

  const rendered = async (id: number, query = '', as: As = 'anonymous') => {
    const { body } = await site.call(as, `GET /posts/${id}${query}`);
    return (body as { content: { rendered: string } }).content.rendered;
  };

  const upload = async (path: string) => {
    const headers = { 'content-type': 'audio/mpeg', 'content-disposition': 'attachment; filename="one.mp3"' };
    const sound = Buffer.concat([Buffer.from('49443303000000000000fffb9064', 'hex'), Buffer.alloc(413)]);
    const { body } = await site.call('editor', `POST ${path}`, sound, { headers });
    return (body as { id: number }).id;
  };

  it('are up to date in cached answers', async () => {
    const id = await site.make('editor', '/posts', {
      title: 'First',
      content: '<!-- wp:post-title {"level":3} /-->',
      status: 'publish',
    });
    for (let i = 0; i < 3; i++) expect(await rendered(id)).toBe('<h3 class="wp-block-post-title">First</h3>');
    await site.call('editor', `PUT /posts/${id}`, { title: 'Second' });
    for (let i = 0; i < 3; i++) expect(await rendered(id)).toBe('<h3 class="wp-block-post-title">Second</h3>');
  });

  it('number galleries across the texts of an answer', async () => {
    const content = '<!-- wp:gallery --><figure class="wp-block-gallery"></figure><!-- /wp:gallery -->';
    const ids: number[] = [];
    for (const title of ['a', 'b']) {
      ids.push(await site.make('editor', '/posts', { title, content, status: 'publish' }));
    }
    const { body } = await site.call('anonymous', `GET /posts?include=${ids}&orderby=include`);
    const numbers = (body as { content: { rendered: string } }[]).map(
      ({ content: { rendered } }) => /wp-block-gallery-(\d+)/.exec(rendered)?.[1],
    );
    expect(numbers).toEqual(['1', '2']);
    for (const id of ids) expect(await rendered(id)).toContain('wp-block-gallery-1 ');
  });

  it('number galleries in the answer to a write after those of its preparation', async () => {
    const content = '<!-- wp:gallery --><figure class="wp-block-gallery"></figure><!-- /wp:gallery -->';
    const { body } = await site.call('editor', 'POST /posts', { title: 'c', content });
    expect((body as { content: { rendered: string } }).content.rendered).toContain('wp-block-gallery-2 ');
  });

  it('show the pictures of a protected post to those who have opened it', async () => {
    const id = await site.make('author', '/posts', {
      ...{ title: 'Locked', content: '[gallery]', status: 'publish', password: 'open sesame' },
    });
    const bytes = pngOf(3, 3);
    await uploadBody(site, 'author', { name: 'held.png', type: 'image/png', bytes }, { query: `post=${id}` });
    const pictures = async (as: As, query: string) =>
      (await site.call(as, `GET /posts/${id}${query}`)).body.content.rendered.match(/<img/g)?.length ?? 0;
    expect(await pictures('anonymous', '')).toBe(0);
    expect(await pictures('anonymous', '?password=open+sesame')).toBe(1);
    expect(await pictures('author', '?context=edit')).toBe(1);
  });

  it('show attached files as of the requested position', async () => {
    const id = await site.make('editor', '/posts', { title: 'd', content: '[audio]', status: 'publish' });
    const { body } = await site.call('anonymous', `GET /posts/${id}`);
    expect((body as { content: { rendered: string } }).content.rendered).toBe('\n');
    const before = site.position();
    const file = await upload(`/media?post=${id}`);
    expect(await rendered(id)).toContain('one.mp3?_=1" />');
    expect(await rendered(id, `?as_of=${before}`, 'editor')).toBe('\n');
    await site.call('editor', `DELETE /media/${file}?force=true`);
    expect(await rendered(id)).toBe('\n');
  });

  it('embed other entries of the site in place of their URLs', async () => {
    const other = await site.make('editor', '/posts', { title: 'The "other"', slug: 'other', status: 'publish' });
    const content = `[embed width="300"]${SITE}/other/[/embed]\n\n${SITE}/other/\n\n${SITE}/none/`;
    const id = await site.make('editor', '/posts', { title: 'e', content, status: 'publish' });
    const text = await rendered(id);
    expect(text).toMatch(
      /^<blockquote class="wp-embedded-content" data-secret="(\w{10})"><p><a href="http:\/\/site.example\/other\/">The &#8220;other&#8221;<\/a><\/p><\/blockquote>\n<p><iframe loading="lazy" class="wp-embedded-content" sandbox="allow-scripts" security="restricted" style="position: absolute; visibility: hidden;" title="\u201cThe \u201cother\u201d\u201d \u2014 [^"]+" src="http:\/\/site.example\/other\/embed\/#\?secret=\w{10}#\?secret=\1" data-secret="\1" width="300" height="200" frameborder="0" marginwidth="0" marginheight="0" scrolling="no"><\/iframe><\/p>/,
    );
    expect(text.match(/<blockquote/g)).toHaveLength(2);
    expect(text).toContain(`<p>${SITE}/none/</p>`);
    await site.call('editor', `PUT /posts/${other}`, { status: 'draft' });
    expect(await rendered(id)).toContain(`<p><a href="${SITE}/other/">${SITE}/other/</a></p>\n<p>${SITE}/other/</p>`);
  });
});
