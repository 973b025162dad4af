import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { book } from '../../../examples/guestbook/book.ts';
import { takenNames } from '../../../src/plugin/contract.ts';
import { bundledNames } from '../../../src/plugin/loaded.ts';
import { type Site, startSite } from '../../support/site.ts';

vi.hoisted(() => {
  process.env['PLUGINS'] = './examples/guestbook';
});

const root = '/cms-json/guestbook/v1';
let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const entries = async () => (await site.call('anonymous', `GET ${root}/entries`)).body;
const sign = (as: 'subscriber' | 'author', words: string, headers = {}) =>
  site.call(as, `POST ${root}/sign`, { words }, { headers });

describe('the package in docs/plugins.md', () => {
  it('is printed there verbatim, and imports only the public entry', () => {
    const page = readFileSync(new URL('../../../docs/plugins.md', import.meta.url), 'utf8');
    for (const name of ['book.ts', 'plugin.ts', 'guestbook.test.ts']) {
      const text = readFileSync(new URL(`../../../examples/guestbook/${name}`, import.meta.url), 'utf8');
      expect(page).toContain(text);
      const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, from]) => from);
      expect(imports.filter((from) => !/^(\.\/book\.ts|palimpsest\/plugin(-test)?|node:.*)$/.test(from ?? ''))).toEqual(
        [],
      );
    }
  });

  it('is listed in the index and in the OpenAPI document', async () => {
    const { body } = await site.call('anonymous', 'GET /cms-json/');
    expect(body.namespaces).toContain('guestbook/v1');
    expect(body.routes['/guestbook/v1/sign'].endpoints[0].args).toMatchObject({ words: { required: true } });
    const described = await site.call('anonymous', 'GET /cms-json/openapi.json');
    expect(JSON.stringify(described.body.paths)).toContain('Leave a few words');
  });

  it('cannot take a namespace of the server', async () => {
    const names = (body: { namespaces: string[] }) => body.namespaces.map((name) => name.split('/')[0]);
    const { body } = await site.call('anonymous', 'GET /cms-json/');
    const other = await startSite({ env: { DEPLOYMENT: 'B' } });
    const there = [...names(body), ...names((await other.call('anonymous', 'GET /cms-json/')).body)];
    await other.close();
    const taken = [...takenNames, ...bundledNames, 'guestbook'];
    expect(there.filter((name = '') => !taken.includes(name))).toEqual([]);
  });

  it('stores the words of each user once, and shows them to everybody, also after a rebuild', async () => {
    expect((await site.call('anonymous', `POST ${root}/sign`, { words: 'x' })).status).toBe(401);
    expect((await site.call('subscriber', `POST ${root}/sign`)).body.code).toBe('rest_missing_callback_param');
    expect((await sign('subscriber', 'x'.repeat(201))).body.code).toBe('rest_invalid_param');
    expect(await sign('subscriber', 'Hello')).toMatchObject({ status: 200, body: { signed: true } });
    expect((await sign('author', 'Good day')).status).toBe(200);
    const before = site.position();
    expect((await sign('subscriber', 'Hello')).status).toBe(200);
    expect(site.position()).toBe(before);
    const shown = [
      { user: 'subscriber', words: 'Hello' },
      { user: 'author', words: 'Good day' },
    ];
    expect(await entries()).toEqual(shown);
    await site.rebuild();
    expect(await entries()).toEqual(shown);
  });

  it('repeats the first answer to a write with the same Idempotency-Key', async () => {
    const first = await sign('author', 'Once', { 'idempotency-key': 'a' });
    const again = await sign('author', 'Once', { 'idempotency-key': 'a' });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('x-cms-position')).toBe(first.headers.get('x-cms-position'));
    expect((await sign('author', 'Twice', { 'idempotency-key': 'a' })).status).toBe(422);
  });

  it('shows its state at a position', async () => {
    const { node } = site;
    await sign('subscriber', 'Before');
    const position = String(site.position());
    await sign('subscriber', 'After');
    const past = node.store.past.asOf(position);
    expect('refused' in past ? past : past.plugin(book).entries.map(({ words }) => words)).toContain('Before');
    expect(node.store.reader.plugin(book).entries.map(({ words }) => words)).not.toContain('Before');
  });
});
