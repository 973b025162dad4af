import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

const names = [
  'id date date_gmt slug status password title content excerpt author featured_media comment_status ping_status',
  'format meta sticky template categories tags parent menu_order context force',
]
  .join(' ')
  .split(' ');
const filters = [
  'context page per_page search after before modified_after modified_before author author_exclude include exclude',
  'offset order orderby search_columns search_semantics slug status tax_relation categories tags sticky format parent',
  'menu_order excerpt_length password as_of _fields _embed _envelope _jsonp',
]
  .join(' ')
  .split(' ');

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '\0',
    'a\0b',
    '-1',
    '1e400',
    '99999999999999999999',
    '9999-12-31T23:59:59',
    '0000-00-00T24:60:60',
    '%00',
  ),
  fc.constantFrom(1e20, -1e20, 2 ** 53, 0.5, -0),
);
const pick = <T>(values: readonly T[]) => fc.constantFrom(...values);

describe('arbitrary input', () => {
  let site: Site;
  let id = 0;
  beforeAll(async () => {
    site = await startSite();
    id = await site.make('editor', '/posts', { title: 'Target', status: 'publish' });
  });
  afterAll(() => site.close());

  it('in a body never causes a fault, and a refusal leaves no trace', async () => {
    const body = fc.dictionary(pick(names), odd, { maxKeys: 4 });
    await fc.assert(
      fc.asyncProperty(
        pick(['POST', 'PUT', 'DELETE']),
        pick(['/posts', '/pages']),
        body,
        async (method, path, fields) => {
          const before = site.position();
          const target = method === 'POST' ? path : `${path}/${id}`;
          const { status, body: answer } = await site.call('editor', `${method} ${target}`, { title: 'x', ...fields });
          expect(status).toBeLessThan(500);
          if (status >= 400) expect([answer.data.status, site.position()]).toEqual([status, before]);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('in a query never causes a fault', async () => {
    const query = fc.array(fc.tuple(pick(filters), pick(['', '[]', '[0]', '[x]', '[terms][]']), odd), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        pick(['/posts', '/pages', '/categories', '/tags', '/users', `/posts/${id}`]),
        query,
        async (path, parts) => {
          const text = parts.map(([name, suffix, value]) => `${name}${suffix}=${encode(value)}`).join('&');
          const { status } = await fetch(`http://127.0.0.1:${site.port}/cms-json/cms/v2${path}?${text}`, {
            headers: { authorization: site.authorization('editor') },
          });
          expect(status).toBeLessThan(500);
        },
      ),
      { numRuns: 400 },
    );
  });
});

function encode(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return encodeURIComponent(text.toWellFormed());
}

describe('an object with members that JavaScript conversions call', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());

  const names = ['toString', 'valueOf', '__proto__', 'constructor', 'toJSON', 'then', 'length'];
  const parameters = [
    'per_page',
    'page',
    'status',
    'search',
    'include',
    'slug',
    'orderby',
    'context',
    '_fields',
    '_embed',
  ];

  it.each(names)('never causes a fault (%s), in any parameter of queries and bodies', async (name) => {
    for (const path of ['posts', 'media', 'users', 'categories', 'search', 'comments']) {
      for (const parameter of parameters) {
        const query = `${parameter}[${name}]=x`;
        const { status } = await site.call('editor', `GET /${path}?${query}`);
        expect([path, query, status < 500]).toEqual([path, query, true]);
      }
    }
    for (const field of ['title', 'status', 'date', 'slug', 'categories', 'meta', 'sticky']) {
      const { status } = await site.call('editor', 'POST /posts', { [field]: JSON.parse(`{"${name}":{"${name}":1}}`) });
      expect([field, status < 500]).toEqual([field, true]);
    }
  });
});
