import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE, SITE, type Site, startSite } from '../support/site.ts';
import { pngOf } from '../support/uploads.ts';

let site: Site;

beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

describe('the parameters of an entry', () => {
  it.each([
    ['context=bad&excerpt_length=x', ['context']],
    ['excerpt_length=x&password[]=y&id=z', ['id', 'excerpt_length', 'password']],
  ])('are checked in two rounds: %s', async (query, faults) => {
    const { body } = await site.call('anonymous', `GET /posts/987654321?${query}`);
    expect(body.code).toBe('rest_invalid_param');
    expect(Object.keys(body.data.params)).toEqual(faults);
  });
});

describe('a page below a file', () => {
  it('leads up to it, and nowhere when it is gone', async () => {
    const disposition = { 'content-disposition': 'attachment; filename="above.png"' };
    const headers = { 'content-type': 'image/png', ...disposition };
    const { body: file } = await site.call('editor', 'POST /media', pngOf(2, 2), { headers });
    const page = { title: 'Below', status: 'publish', parent: file.id };
    const { body: made } = await site.call('editor', 'POST /pages', page);
    const listed = () => site.call('anonymous', `GET /pages?include=${made.id}`);
    for (let i = 0; i < 2; i += 1) expect((await listed()).body[0].link).toBe(`${SITE}/above/below/`);
    expect(made._links.up).toEqual([{ embeddable: true, href: `${BASE}/media/${file.id}` }]);
    const embedded = await site.call('anonymous', `GET /pages/${made.id}?_embed=up`);
    expect(embedded.body._embedded.up).toMatchObject([{ id: file.id, type: 'attachment' }]);
    await site.call('editor', `DELETE /media/${file.id}?force=true`);
    const { body: orphan } = await site.call('anonymous', `GET /pages/${made.id}`);
    expect(orphan._links).not.toHaveProperty('up');
    expect((await listed()).body[0].link).toBe(`${SITE}/below/`);
  });
});
