import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, BASE, type Site, startSite } from '../../support/site.ts';
import { pngOf, uploadBody } from '../../support/uploads.ts';

describe('the collection of media', () => {
  let own: Site;
  beforeAll(async () => {
    own = await startSite();
    const upload = async (name: string, bytes: Uint8Array | string, query = '') => {
      own.clock.now += 60_000;
      await uploadBody(own, 'author', { name, type: 'x/y', bytes }, { query });
    };
    await upload('first.png', pngOf(1, 1), 'title=A sunset&caption=by the sea');
    await upload('second.txt', 'text', 'title=Notes&description=of the sunset');
    await upload('third.csv', 'a,b', 'title=Table');
    await upload('fourth.pdf', '%PDF-1.4', 'title=Paper&alt_text=sunset');
  });
  afterAll(() => own.close());

  const names = async (query: string, as: As = 'anonymous') => {
    const { body } = await own.call(as, `GET /media?${query}`);
    return Array.isArray(body) ? body.map((item: { filename: string }) => item.filename.split('.')[0]) : body.code;
  };

  it.each([
    ['', ['fourth', 'third', 'second', 'first']],
    ['order=asc&orderby=title', ['first', 'second', 'fourth', 'third']],
    ['media_type=image', ['first']],
    ['media_type=text', ['third', 'second']],
    ['media_type=image&mime_type=text/csv', ['third', 'first']],
    ['mime_type=application/pdf,image/png', ['fourth', 'first']],
    ['mime_type=no/type', ['fourth', 'third', 'second', 'first']],
    ['media_type=video', []],
    ['search=sunset', ['second', 'first']],
    ['search=third', ['third']],
    ['search=2026/03/f', ['fourth', 'first']],
    ['search=sunset%20-second', ['first']],
    ['search=sunset%20first', ['first']],
    ['search=notes&search_columns=post_content', []],
    ['search=second&search_columns=post_content', ['second']],
    ['search=notes&search_semantics=exact', ['second']],
    ['search=second&search_semantics=exact', []],
    ['search=2026/03/second.txt&search_semantics=exact', ['second']],
    ['orderby=relevance&search=sunset', ['first', 'second']],
    ['slug=notes,table', ['third', 'second']],
    ['slug=table,notes&orderby=include_slugs', ['third', 'second']],
    ['orderby=include_slugs&order=desc', ['first', 'second', 'third', 'fourth']],
    ['author=3&per_page=1&page=2', ['third']],
    ['author=1', []],
    ['after=2026-03-01T12:02:30', ['fourth', 'third']],
    ['offset=3', ['first']],
    ['parent=0&orderby=id&order=asc', ['first', 'second', 'third', 'fourth']],
    ['parent_exclude=0', []],
  ])('for "%s" returns %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it.each([
    ['status=inherit', 'anonymous', 4],
    ['status=private', 'contributor', 0],
    ['status=trash,inherit', 'editor', 4],
  ] as const)('with %s for %s has %d items', async (query, as, count) => {
    expect(await names(query, as)).toHaveLength(count);
  });

  it.each([
    ['status=private', 'anonymous', 'rest_invalid_param'],
    ['status=publish', 'editor', 'rest_invalid_param'],
    ['media_type=sound', 'anonymous', 'rest_invalid_param'],
    ['orderby=menu_order', 'anonymous', 'rest_invalid_param'],
    ['orderby=relevance', 'anonymous', 'rest_no_search_term_defined'],
    ['page=2', 'anonymous', 'rest_post_invalid_page_number'],
    ['context=edit', 'subscriber', 'rest_forbidden_context'],
  ] as const)('refuses %s to %s', async (query, as, code) => {
    expect(await names(query, as)).toBe(code);
  });

  it('contains editable items only in context edit', async () => {
    expect([await names('context=edit', 'contributor'), await names('context=edit', 'author')]).toEqual([
      [],
      ['fourth', 'third', 'second', 'first'],
    ]);
  });

  it('is the same after a restart', async () => {
    const before = await own.call('anonymous', 'GET /media?search=sunset');
    await own.restart();
    expect((await own.call('anonymous', 'GET /media?search=sunset')).body).toEqual(before.body);
  });

  it('has links to further pages', async () => {
    const { headers } = await own.call('anonymous', 'GET /media?per_page=2&media_type=text,image');
    expect([headers.get('x-cms-total'), headers.get('link')]).toEqual([
      '3',
      `<${BASE}/media?per_page=2&media_type%5B0%5D=text&media_type%5B1%5D=image&page=2>; rel="next"`,
    ]);
  });
});
