import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, type Site, startSite } from '../support/site.ts';
import { pngOf, uploadBody } from '../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const HEALTH = '/cms-json/cms-site-health/v1';
const ask = (path: string, as: As = 'administrator') => site.call(as, `GET ${HEALTH}${path}`);

describe('site health', () => {
  it.each([
    'background-updates',
    'loopback-requests',
    'https-status',
    'dotorg-communication',
    'authorization-header',
    'page-cache',
  ])('has the test %s for administrators', async (name) => {
    const { status, body } = await ask(`/tests/${name}`);
    expect([status, body.test, body.actions]).toEqual([200, name.replaceAll('-', '_'), '']);
    expect(body).toMatchObject({ badge: { color: 'blue' }, label: expect.any(String) });
    expect(body.description).toMatch(/^<p>.+<\/p>$/);
    expect((await ask(`/tests/${name}`, 'editor')).body).toMatchObject({
      code: 'rest_forbidden',
      data: { status: 403 },
    });
    expect((await ask(`/tests/${name}`, 'anonymous')).status).toBe(401);
  });

  it('reports whether the site uses https', async () => {
    expect((await ask('/tests/https-status')).body.status).toBe('recommended');
    await site.restart(() => undefined, { env: { SITE_URL: 'https://site.example' } });
    expect((await ask('/tests/https-status')).body.status).toBe('good');
  });
});

describe('directory sizes', () => {
  it('contain uploads and database, measured once an hour', async () => {
    const file = { name: 'a.png', type: 'image/png', bytes: pngOf(40, 30) };
    await uploadBody(site, 'author', file);
    const before = (await ask('/directory-sizes')).body;
    expect(before.uploads_size.raw).toBe(file.bytes.length);
    expect(before.total_size.raw).toBe(before.uploads_size.raw + before.database_size.raw);
    expect(before.themes_size).toEqual({ size: '0 B', debug: '0 B (0 bytes)' });
    await uploadBody(site, 'author', { ...file, name: 'b.png', bytes: pngOf(41, 30) });
    expect((await ask('/directory-sizes')).body).toEqual(before);
    site.clock.now += 60 * 60 * 1000;
    expect((await ask('/directory-sizes')).body.uploads_size.raw).toBeGreaterThan(before.uploads_size.raw);
  });

  it('are limited to administrators', async () => {
    expect((await ask('/directory-sizes', 'editor')).status).toBe(403);
    expect((await ask('/directory-sizes', 'anonymous')).status).toBe(401);
  });
});
