import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, type Site, startSite } from '../support/site.ts';
import { pngOf, uploadBody } from '../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const lists = '<!-- wp:latest-posts {"displayPostContent":true,"displayPostContentRadio":"full_post"} /-->';
const rendered = async (as: As, path: string) => (await site.call(as, `GET ${path}`)).body.content.rendered;

describe('what a viewer may not see', () => {
  it('is not found by searching comments for addresses of their authors', async () => {
    const post = await site.make('editor', '/posts', { title: 'Discussed', status: 'publish' });
    const comment = { post, author_name: 'Ada Reader', author_email: 'ada@secret.example', content: 'Well said' };
    const id = await site.make('administrator', '/comments', {
      ...comment,
      author_ip: '192.0.2.77',
      status: 'approve',
    });
    const found = async (as: As, search: string) =>
      (await site.call(as, `GET /comments?include=${id}&search=${encodeURIComponent(search)}`)).headers.get(
        'x-cms-total',
      );
    for (const address of ['ada@secret', '192.0.2.77', '\x1fada@', 'secret.example 192']) {
      expect([address, await found('anonymous', address), await found('author', address)]).toEqual([address, '0', '0']);
    }
    expect(await found('editor', 'ada@secret')).toBe('1');
    for (const words of ['ada reader', 'well said']) expect(await found('anonymous', words)).toBe('1');
  });

  it('is not in the past of an item of their own: what others were', async () => {
    const draft = await site.make('contributor', '/posts', { title: 'Mine', content: `<p>Own words</p>${lists}` });
    const other = await site.make('editor', '/posts', { title: 'Q', content: 'Withdrawn', status: 'publish' });
    const then = site.position();
    await site.call('editor', `PUT /posts/${other}`, { status: 'private' });
    const past = `/posts/${draft}?context=edit&as_of=${then}`;
    expect(await rendered('editor', past)).toContain('Withdrawn');
    expect(await rendered('contributor', past)).toContain('Own words');
    expect(await rendered('contributor', past)).not.toContain('Withdrawn');
  });

  it('is not embedded in it either', async () => {
    const file = { name: 'shown.png', type: 'image/png', bytes: pngOf(4, 4) };
    const image = (await uploadBody(site, 'editor', file)).body.id;
    const draft = await site.make('contributor', '/posts', { title: 'Mine', featured_media: image });
    const then = site.position();
    await site.call('editor', `PUT /media/${image}`, { status: 'private' });
    const embedded = async (as: As) => {
      const path = `/posts/${draft}?context=edit&_embed=cms:featuredmedia&as_of=${then}`;
      return (await site.call(as, `GET ${path}`)).body._embedded?.['cms:featuredmedia']?.[0];
    };
    expect((await embedded('editor')).source_url).toContain('shown');
    expect((await embedded('contributor'))?.source_url).toBeUndefined();
  });

  it('is not in the address of an image that they attach to it', async () => {
    const host = await site.make('editor', '/posts', { title: 'Quiet merger', status: 'private' });
    const bytes = pngOf(6, 6);
    const { body } = await uploadBody(site, 'author', { name: 'own.png', type: 'image/png', bytes });
    const moved = await site.call('author', `PUT /media/${body.id}`, { post: host });
    expect(moved.text).not.toContain('quiet-merger');
    expect((await site.call('editor', `GET /media/${body.id}`)).body.link).toContain('quiet-merger');
  });

  it('is not in a menu with a password', async () => {
    const link = '<!-- wp:navigation-link {"label":"Secret door","url":"/door"} /-->';
    const menu = { title: 'Locked', content: link, status: 'publish', password: 'p' };
    const id = await site.make('administrator', '/navigation', menu);
    const content = `<!-- wp:navigation {"ref":${id}} /--><!-- wp:navigation /-->`;
    const post = await site.make('editor', '/posts', { title: 'Shows menus', content, status: 'publish' });
    expect(await rendered('anonymous', `/posts/${post}`)).not.toContain('Secret door');
  });

  it('is not in the proof of a comment', async () => {
    const post = await site.make('author', '/posts', { title: 'Proved', status: 'publish' });
    const comment = { post, author_name: 'Ada', author_email: 'ada@secret.example', content: 'Proved' };
    const id = await site.make('administrator', '/comments', comment);
    expect((await site.call('author', `GET /comments/${id}/proof`)).status).toBe(403);
    expect((await site.call('editor', `GET /comments/${id}/proof`)).status).not.toBe(403);
  });
});
