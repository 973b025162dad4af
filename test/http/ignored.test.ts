import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const ignored = async (as: As, request: string, body?: unknown) =>
  (await site.call(as, request, body)).headers.get('x-cms-ignored');

describe('X-CMS-Ignored', () => {
  it('names parameters and members that have no effect, on reads, writes and refusals', async () => {
    expect(await ignored('anonymous', 'GET /posts?pre_page=3&per_page=1')).toBe('pre_page');
    expect(await ignored('editor', 'POST /posts', { titel: 'x', title: 'y', 'größe, 1': 2 })).toBe(
      'titel, gr%C3%B6%C3%9Fe%2C%201',
    );
    expect(await ignored('editor', 'POST /posts', { titel: 'x' })).toBe('titel');
    expect(await ignored('editor', 'POST /posts?sttus=draft', { title: 'x' })).toBe('sttus');
  });

  it('is sent with cached answers, too', async () => {
    for (let i = 0; i < 3; i++) expect(await ignored('anonymous', 'GET /posts?serch=x')).toBe('serch');
  });

  it('is absent if everything was understood', async () => {
    const id = await site.make('editor', '/posts', { title: 'x', status: 'publish' });
    for (const request of [
      `GET /posts/${id}?context=view&_fields=id&_embed&_locale=user`,
      'GET /posts?search=x&_envelope&as_of=1',
      `PUT /posts/${id}?_method=PUT`,
      'OPTIONS /posts',
      'GET /cms-json/',
    ])
      expect([
        request,
        await ignored('editor', request, request.startsWith('PUT') ? { id, title: 'y' } : undefined),
      ]).toEqual([request, null]);
  });
});
