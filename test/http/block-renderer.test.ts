import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blockTypes } from '#blocks/block-types/all.ts';
import { type As, type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const get = (as: As, name: string, query = 'context=edit') => site.call(as, `GET /block-renderer/${name}?${query}`);

describe('the block renderer', () => {
  it('renders a block with attributes from the query or from JSON', async () => {
    const rendered = '<h3 class="wp-block-site-title">';
    const inAddress = await get(
      'contributor',
      'core/site-title',
      'context=edit&attributes[level]=3&attributes[isLink]=false',
    );
    expect(inAddress.body.rendered).toContain(rendered);
    const attributes = { level: 3, isLink: false, className: 'mine', style: { color: { text: '#111' } } };
    const asJson = await site.call('contributor', 'POST /block-renderer/core/site-title', { attributes });
    expect(asJson.status).toBe(200);
    expect(asJson.body.rendered).toContain('<h3 style="color:#111" class="mine wp-block-site-title has-text-color">');
    expect(asJson.body.rendered).not.toContain('<a ');
  });

  it('renders blocks of a post only for users who may edit it', async () => {
    const own = await site.make('contributor', '/posts', { title: 'Own "draft"' });
    const others = await site.make('editor', '/posts', { title: 'Theirs', status: 'publish' });
    const about = (as: As, id: number) => get(as, 'core/post-title', `context=edit&post_id=${id}`);
    expect((await about('contributor', own)).body.rendered).toBe(
      '<h2 class="wp-block-post-title">Own &#8220;draft&#8221;</h2>',
    );
    expect((await about('editor', own)).status).toBe(200);
    for (const id of [others, 987654321]) {
      const { status, body } = await about('contributor', id);
      expect([status, body.code]).toEqual([403, 'block_cannot_read']);
    }
    const nobody = await about('anonymous', own);
    expect([nobody.status, nobody.body.code]).toEqual([401, 'block_cannot_read']);
    expect((await get('contributor', 'core/post-title')).body.rendered).toBe('');
  });

  it.each([
    ['unknown attributes', 'core/rss', { nonsense: 1 }, 'rest_additional_properties_forbidden'],
    ['attributes of another type', 'core/rss', { itemsToShow: 'many' }, 'rest_invalid_type'],
    ['words that are not among those it can be', 'core/latest-posts', { featuredImageAlign: 'up' }, 'rest_not_in_enum'],
    ['numbers out of bounds', 'core/tag-cloud', { numberOfTags: 0 }, 'rest_out_of_bounds'],
    ['attributes that are no map', 'core/rss', 'x', 'rest_invalid_type'],
  ])('refuses %s', async (_, name, attributes, code) => {
    const { status, body } = await site.call('author', `POST /block-renderer/${name}`, { attributes });
    expect([status, body.code]).toEqual([400, 'rest_invalid_param']);
    expect(body.data.details.attributes.code).toBe(code);
  });

  it.each(['core/paragraph', 'core/nothing', 'no-such/block', 'core/RSS'])('answers 404 for %s', async (name) => {
    const { status, body } = await get('contributor', name, 'attributes[nonsense]=1');
    expect([status, body.code]).toEqual([404, 'block_invalid']);
  });

  it('shows later changes, and caches nothing across users', async () => {
    const list = () => get('editor', 'core/latest-posts', 'attributes[postsToShow]=1');
    for (const title of ['First', 'Second']) {
      await site.make('editor', '/posts', { title, status: 'publish' });
      for (let i = 0; i < 3; i++) expect((await list()).body.rendered).toContain(`>${title}</a>`);
    }
    expect((await get('anonymous', 'core/latest-posts')).status).toBe(401);
  });

  it('renders every dynamic block', async () => {
    const id = await site.make('author', '/posts', { title: 'Any', content: 'Words' });
    const names = [...blockTypes.values()].filter(({ markup }) => markup !== 'stored').map(({ name }) => name);
    for (const name of names) {
      const { status, body } = await get('author', name, `post_id=${id}`);
      expect([name, status, typeof body.rendered]).toEqual([name, 200, 'string']);
    }
  });
});
