import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Site, startSite } from '../../support/site.ts';
import { guestbook } from './guestbook/area.ts';

// The two lines that a new namespace takes.
vi.mock(import('#domain/plugins/areas.ts'), async (original) => {
  const [{ areas }, example] = [await original(), await import('./guestbook/area.ts')];
  return { areas: [...areas, example.guestbook] };
});
vi.mock(import('#http/tables/plugins/registry.ts'), async (original) => {
  const [{ namespaces }, example] = [await original(), await import('./guestbook/routes.ts')];
  return { namespaces: [...namespaces, example.guestbookV1] };
});

const root = '/cms-json/guestbook/v1';
let site: Site;
beforeAll(async () => {
  site = await startSite({ env: { DEPLOYMENT: 'B' } });
});
afterAll(() => site.close());

const entries = async () => (await site.call('anonymous', `GET ${root}/entries`)).body;
const sign = (as: 'subscriber' | 'author', words: string, headers = {}) =>
  site.call(as, `POST ${root}/sign`, { words }, { headers });

describe('the example in docs/plugins.md', () => {
  it('stands there as it is run here', () => {
    const page = readFileSync(new URL('../../../docs/plugins.md', import.meta.url), 'utf8');
    for (const name of ['area.ts', 'routes.ts']) {
      expect(page).toContain(readFileSync(new URL(`./guestbook/${name}`, import.meta.url), 'utf8'));
    }
  });

  it('is listed in the index of its deployment only', async () => {
    const { body } = await site.call('anonymous', 'GET /cms-json/');
    expect(body.namespaces).toContain('guestbook/v1');
    expect(body.routes['/guestbook/v1/sign'].endpoints[0].args).toMatchObject({ words: { required: true } });
    const other = await startSite({ env: { DEPLOYMENT: 'A' } });
    expect((await other.call('anonymous', `GET ${root}`)).body.code).toBe('rest_no_route');
    await other.close();
  });

  it('takes words from users, once, and shows them to everybody, also after a rebuild', async () => {
    expect((await site.call('anonymous', `POST ${root}/sign`, { words: 'x' })).status).toBe(401);
    expect((await site.call('anonymous', `POST ${root}/sign`)).body.code).toBe('rest_missing_callback_param');
    expect((await sign('subscriber', 'Hello')).status).toBe(200);
    expect((await sign('author', 'Good day')).status).toBe(200);
    const before = site.position();
    expect((await sign('subscriber', 'Hello')).status).toBe(200);
    expect(site.position()).toBe(before);
    const shown = {
      data: [expect.objectContaining({ words: 'Hello' }), expect.objectContaining({ words: 'Good day' })],
    };
    expect(await entries()).toEqual(shown);
    await site.node.rebuild();
    expect(await entries()).toEqual(shown);
  });

  it('answers a write that is sent again as it did the first time', async () => {
    const first = await sign('author', 'Once', { 'idempotency-key': 'a' });
    const again = await sign('author', 'Once', { 'idempotency-key': 'a' });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('x-cms-position')).toBe(first.headers.get('x-cms-position'));
    expect((await sign('author', 'Twice', { 'idempotency-key': 'a' })).status).toBe(422);
  });

  it('shows what there was at a position', async () => {
    const { node } = site;
    await sign('subscriber', 'Before');
    const position = String(site.position());
    await sign('subscriber', 'After');
    const past = node.store.at(position);
    expect('refused' in past ? past : past.plugin(guestbook).entries.map(({ words }) => words)).toContain('Before');
    expect(node.store.reader.plugin(guestbook).entries.map(({ words }) => words)).not.toContain('Before');
  });
});
