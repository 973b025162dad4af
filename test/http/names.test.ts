import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

const names = {
  root: 'api',
  namespaces: { 'cms/v2': 'content/v1' },
  headers: 'X-Api',
  relations: { prefix: 'ex', address: 'https://rels.example.org/{rel}', index: 'https://rels.example.org/' },
};
const usual = /cms-json|cms\/v2|x-cms-|"cms:|rels\.palimpsest/i;

let site: Site;
let item = '';

beforeAll(async () => {
  site = await startSite();
  const id = await site.make('editor', '/posts', { title: 'Words', slug: 'words', status: 'publish' });
  // Ready answers made under the default names must not be served under others.
  while (site.node.work());
  await site.restart(undefined, { env: { INTERFACE_NAMES: JSON.stringify(names) } });
  item = `/api/content/v1/posts/${id}`;
});
afterAll(() => site.close());

const ask = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${site.port}${path}`, init);

describe('an interface with custom names', () => {
  it('takes uploads in pieces, and names the item', async () => {
    const about = { 'upload-length': '4', 'upload-metadata': `filename ${btoa('a.txt')}` };
    const answer = await ask('/api/content/v1/media/resumable', {
      method: 'POST',
      headers: {
        ...{ authorization: site.authorization('author'), 'tus-resumable': '1.0.0', origin: 'http://site.example' },
        ...{ ...about, 'content-type': 'application/offset+octet-stream' },
      },
      body: 'text',
    });
    expect([answer.status, Number(answer.headers.get('x-api-media')) > 0]).toEqual([201, true]);
    expect([...answer.headers].flat().join('\n')).not.toMatch(usual);
  });

  it.each([
    '/',
    '/content/v1',
    '/content/v1/posts',
    '/content/v1/posts?_embed',
    '/content/v1/nothing',
    '/openapi.json',
    '/docs',
  ])('contains no default name at %s', async (path) => {
    const answer = await ask(`/api${path}`);
    const head = [...answer.headers].flat().join('\n');
    expect(`${head}\n${await answer.text()}`).not.toMatch(usual);
  });

  it('contains no default name in an item, its schema and its page', async () => {
    for (const [path, method] of [
      [item, 'GET'],
      [item, 'OPTIONS'],
      ['/words/', 'GET'],
    ] as const) {
      const answer = await ask(path, { method });
      expect([path, answer.status]).toEqual([path, 200]);
      expect(`${[...answer.headers].flat().join('\n')}\n${await answer.text()}`).not.toMatch(usual);
    }
  });

  it('accepts custom names in batches, queries and headers', async () => {
    const headers = { authorization: site.authorization('editor'), 'content-type': 'application/json' };
    const requests = [{ path: '/content/v1/posts', body: { title: 'In a batch' } }, { path: '/cms/v2/posts' }];
    const batch = await ask('/api/batch/v1', { method: 'POST', headers, body: JSON.stringify({ requests }) });
    const { responses } = (await batch.json()) as { responses: { status: number }[] };
    expect(responses.map(({ status }) => status)).toEqual([201, 404]);
    expect((await ask(`/?rest_route=${item.slice('/api'.length)}`)).status).toBe(200);
    expect((await ask(`/index.php?rest_route=${item.slice('/api'.length)}`)).status).toBe(200);
    expect((await ask(item, { headers: { 'x-api-position': 'x' } })).status).toBe(400);
    expect((await ask('/cms-json/')).status).toBe(404);
    const embedded = (await (await ask(`${item}?_embed=ex:term`)).json()) as { _embedded: Record<string, unknown> };
    expect(Object.keys(embedded._embedded)).toEqual(['ex:term']);
  });
});
