import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

describe('texts that depend on more than themselves', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());

  const rendered = async (id: number, query = '') => {
    const { body } = await site.call('anonymous', `GET /posts/${id}${query}`);
    return (body as { content: { rendered: string } }).content.rendered;
  };

  it('follow what they depend on, also where answers are kept', async () => {
    const id = await site.make('editor', '/posts', {
      title: 'First',
      content: '<!-- wp:post-title {"level":3} /-->',
      status: 'publish',
    });
    for (let i = 0; i < 3; i++) expect(await rendered(id)).toBe('<h3 class="wp-block-post-title">First</h3>');
    await site.call('editor', `PUT /posts/${id}`, { title: 'Second' });
    for (let i = 0; i < 3; i++) expect(await rendered(id)).toBe('<h3 class="wp-block-post-title">Second</h3>');
  });

  it('number their galleries from text to text of an answer', async () => {
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

  it('are numbered on from the preparation of an answer to a write', async () => {
    const content = '<!-- wp:gallery --><figure class="wp-block-gallery"></figure><!-- /wp:gallery -->';
    const { body } = await site.call('editor', 'POST /posts', { title: 'c', content });
    expect((body as { content: { rendered: string } }).content.rendered).toContain('wp-block-gallery-2 ');
  });
});
