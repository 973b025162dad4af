import { beforeEach, describe, expect, it } from 'vitest';
import { asOwner, BASE, createSite, type Site } from './support.ts';

let site: Site;
const ITEM = '/cms-json/notes/v1/notes/1';
const LIST = '/cms-json/notes/v1/notes';
const json = { 'content-type': 'application/json' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

beforeEach(async () => {
  site = createSite();
  await write('POST', LIST, '{"title":"One"}');
});

const write = (
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  payload: string,
  headers: Record<string, string> = json,
) => site.app.inject({ method, url, payload, headers: { ...headers, ...asOwner } });
const get = async (url: string, headers: Record<string, string> = {}) =>
  (await site.app.inject({ url, headers })).json();
const echo = async (query: string, payload = '', headers: Record<string, string> = json) =>
  (await site.app.inject({ method: 'POST', url: `/cms-json/notes/v1/echo${query}`, payload, headers })).json();

describe('request parameters', () => {
  it('come from the JSON body before the query, and from the query before the path', async () => {
    await write('POST', LIST, '{"title":"Two"}');
    expect((await write('PUT', `${LIST}/2?id=2`, '{"id":1,"title":"Changed"}')).json()).toMatchObject({ id: 1 });
    expect((await write('PUT', `${LIST}/2?id=1`, '{}')).json()).toMatchObject({ id: 1 });
    expect((await write('PUT', `${LIST}/2`, '{}')).json()).toMatchObject({ id: 2 });
  });

  it('come from a form as from a query', async () => {
    const { params } = await echo('?a=1&b=2', 'b=3&c[]=4&c[]=5&d[x]=6', form);
    expect(params).toEqual({ a: '1', b: '3', c: ['4', '5'], d: { x: '6' } });
  });

  it('come from the fields of a multipart body, apart from its files', async () => {
    const body = [
      '--b',
      'Content-Disposition: form-data; name="list[]"',
      '',
      'é',
      '--b',
      'Content-Disposition: form-data; name="file"; filename="a.png"',
      'Content-Type: image/png',
      '',
      'PNG',
      '--b--',
      '',
    ].join('\r\n');
    const answer = await echo('?x=1', body, { 'content-type': 'multipart/form-data; boundary=b' });
    expect(answer).toMatchObject({ params: { x: '1', list: ['é'] }, files: [['file', 'a.png', 'image/png', 3]] });
  });

  it.each(['multipart/form-data', 'multipart/form-data; boundary=x', 'image/png', ''])(
    'do not come from a body of type "%s" without parameters',
    async (type) => {
      expect(await echo('?x=1', 'whatever', type === '' ? {} : { 'content-type': type })).toMatchObject({
        params: { x: '1' },
        bytes: 8,
      });
    },
  );

  it.each(['', 'null', '"text"', '[]', '[1]', '5', '0'])('do not come from a JSON body of %j', async (payload) => {
    expect((await echo('?x=1', payload)).params).toEqual({ x: '1' });
  });

  it.each(['application/json; charset=latin1', 'application/activity+json', 'Application/JSON'])(
    'come from JSON of type %s',
    async (type) => {
      expect((await echo('', '{"a":"ü"}', { 'content-type': type })).params).toEqual({ a: 'ü' });
    },
  );

  it('may be unknown', async () => {
    expect((await site.app.inject({ url: `${ITEM}?colour=red&a[b][c]=1` })).statusCode).toBe(200);
  });
});

describe('broken JSON', () => {
  it.each([
    ['{"a":', 4],
    ['{a:1}', 4],
    ['{"a":"\u0001"}', 3],
    ['{"a":"\\ud800"}', 10],
    ['{"\\udc00":1}', 10],
    ['['.repeat(513) + ']'.repeat(513), 1],
  ])('%j has the error code %d', async (payload, code) => {
    const answer = await site.app.inject({ method: 'POST', url: LIST, payload, headers: json });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({
      code: 'rest_invalid_json',
      data: { status: 400, json_error_code: code, json_error_message: expect.any(String) },
    });
  });

  it('in invalid UTF-8 has the error code 5', async () => {
    const answer = await site.app.inject({
      method: 'POST',
      url: LIST,
      payload: Buffer.from([0x22, 0xff, 0x22]),
      headers: json,
    });
    expect(answer.json()).toMatchObject({ data: { json_error_code: 5 } });
  });

  it('does not include lists nested 512 deep', async () => {
    expect((await echo('', `{"a":${'['.repeat(511)}${']'.repeat(511)}}`)).params).toHaveProperty('a');
  });

  it('does not include surrogate pairs and NUL', async () => {
    expect((await echo('', '{"a":"\\ud83d\\udc4b\\u0000"}')).params).toEqual({ a: '👋\u0000' });
  });
});

describe('the method', () => {
  it.each([
    ['POST', '?_method=PUT', {}, 200],
    ['POST', '?_method=put', { 'x-http-method-override': 'DELETE' }, 200],
    ['POST', '', { 'x-http-method-override': 'patch' }, 200],
    ['POST', '?_method=BREW', {}, 404],
    ['GET', '?_method=DELETE&force=1', {}, 200],
    ['GET', '', { 'x-http-method-override': 'DELETE' }, 501],
  ] as const)('%s%s %j answers %i', async (method, query, headers, status) => {
    const answer = await site.app.inject({ method, url: ITEM + query, headers: { ...headers, ...asOwner } });
    expect(answer.statusCode).toBe(status);
  });

  it('is not taken from a form', async () => {
    const answer = await write('POST', ITEM, '_method=DELETE&force=true', form);
    expect([answer.statusCode, answer.json().deleted]).toEqual([200, undefined]);
  });

  it('overridden to GET makes a POST a read', async () => {
    const answer = await site.app.inject({ method: 'POST', url: `${ITEM}?_method=GET` });
    expect(answer.json()).toMatchObject({ id: 1 });
    expect(answer.headers).not.toHaveProperty('x-cms-position');
  });

  it.each([
    ['GET', `${ITEM}?_method=HEAD`, {}, 200],
    ['GET', ITEM, { 'x-http-method-override': 'head' }, 200],
    ['POST', `${LIST}/99?_method=HEAD`, {}, 404],
  ] as const)('omits the body when it is HEAD in any form: %s %s %j', async (method, url, headers, status) => {
    const whole = await site.app.inject({ url: url.replace('?_method=HEAD', '') });
    const answer = await site.app.inject({ method, url, headers });
    expect([answer.statusCode, answer.body, answer.headers['content-length']]).toEqual([status, '', '0']);
    for (const name of ['content-type', 'link', 'allow', 'etag'])
      expect(answer.headers[name]).toBe(whole.headers[name]);
  });
});

describe('_fields', () => {
  const links = expect.objectContaining({ self: expect.any(Array), owner: expect.any(Array) });
  it.each([
    ['id,hidden', { id: 1, hidden: false }],
    [' id , hidden ', { id: 1, hidden: false }],
    ['title.rendered', { title: { rendered: 'One' } }],
    ['title', { title: { rendered: 'One' } }],
    ['title,title.raw', { title: { rendered: 'One' } }],
    ['title.raw,id', { id: 1, title: {} }],
    ['id.deeper', { id: 1 }],
    ['tags.1', { tags: { 1: 5 } }],
    ['tags.x', { tags: [] }],
    ['nothing', {}],
    ['_links', { _links: links }],
    ['id,_links.self', { id: 1, _links: links }],
    ['_embedded', {}],
  ])('%j selects members of an item', async (names, expected) => {
    expect(await get(`${ITEM}?_fields=${encodeURIComponent(names)}`)).toEqual(expected);
  });

  it('may be an array', async () => {
    expect(await get(`${ITEM}?_fields[]=id&_fields[]=hidden`)).toEqual({ id: 1, hidden: false });
  });

  it('has no effect when empty', async () => {
    expect(await get(`${ITEM}?_fields=`)).toHaveProperty('title');
  });

  it('applies to each record of a list, including its _links', async () => {
    expect(await get(`${LIST}?_fields=id,_links.self`)).toEqual([
      { id: 1, _links: { self: [{ href: `${BASE}/notes/v1/notes/1` }] } },
    ]);
  });

  it('applies to plain values, but never to errors', async () => {
    const gone = await site.app.inject({ method: 'DELETE', url: `${ITEM}?force=1&_fields=deleted`, headers: asOwner });
    expect(gone.json()).toEqual({ deleted: true });
    expect(await get(`${ITEM}?_fields=id`)).toMatchObject({ code: 'rest_post_invalid_id' });
  });

  it('applies to the answers of writes', async () => {
    expect((await write('PUT', `${ITEM}?_fields=id`, '{"title":"x"}')).json()).toEqual({ id: 1 });
    expect((await write('PUT', ITEM, '{"title":"x","_fields":"id"}')).json()).toEqual({ id: 1 });
  });
});

describe('_embed', () => {
  it('embeds the targets of all embeddable links, including errors', async () => {
    const { _embedded } = await get(`${ITEM}?_embed`);
    expect(_embedded).toEqual({
      owner: [{ id: 1, context: 'embed' }],
      twin: [expect.objectContaining({ code: 'rest_post_invalid_id' }), []],
      replies: [expect.objectContaining({ code: 'rest_no_route' })],
    });
  });

  it.each([
    ['owner', ['owner']],
    ['owner,twin', ['owner', 'twin']],
    ['0', ['owner', 'twin', 'replies']],
    ['true', ['owner', 'twin', 'replies']],
  ])('=%s embeds %j', async (value, relations) => {
    expect(Object.keys((await get(`${ITEM}?_embed=${value}`))._embedded)).toEqual(relations);
  });

  it.each(['unknown', 'away', 'self'])('=%s embeds nothing', async (value) => {
    expect(await get(`${ITEM}?_embed=${value}`)).not.toHaveProperty('_embedded');
  });

  it('embeds only links selected by _fields', async () => {
    expect(Object.keys(await get(`${ITEM}?_embed=owner&_fields=_embedded`))).toEqual(['_links', '_embedded']);
    expect(await get(`${LIST}?_embed&_fields=id,_embedded`)).toEqual([{ id: 1 }]);
    const [note] = await get(`${LIST}?_embed&_fields=id,_links.owner,_embedded`);
    expect(note._embedded).toEqual({ owner: [{ id: 1, context: 'embed' }] });
  });

  it('requests each target once', async () => {
    await write('POST', LIST, '{"title":"Two"}');
    await write('POST', LIST, '{"title":"Three"}');
    site.asked.clear();
    await get(`${LIST}?_embed=twin`);
    expect(site.asked.get('item')).toBe(2);
  });

  it('applies to the answers of writes', async () => {
    const answer = await write('POST', `${LIST}?_embed=owner`, '{"title":"Two"}');
    expect(answer.json()).toMatchObject({ id: 2, _embedded: { owner: [{ id: 1 }] } });
  });
});

describe('_envelope', () => {
  it.each(['1', '', 'false'])('=%s wraps body, status and headers in a 200', async (value) => {
    const answer = await site.app.inject({ url: `${LIST}?_fields=id&_envelope=${value}` });
    expect(answer.json()).toEqual({
      body: [{ id: 1 }],
      status: 200,
      headers: { 'X-CMS-Total': 1, 'X-CMS-TotalPages': 1, Allow: 'GET' },
    });
    expect(answer.headers).not.toHaveProperty('allow');
    expect(answer.headers).not.toHaveProperty('x-cms-total');
  });

  it('wraps errors', async () => {
    const answer = await site.app.inject({ url: `${LIST}/99?_envelope` });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      body: expect.objectContaining({ code: 'rest_post_invalid_id' }),
      status: 404,
      headers: {},
    });
  });

  it('wraps embedded resources, and text as a string', async () => {
    expect((await get(`${ITEM}?_envelope&_embed=owner`)).body._embedded).toHaveProperty('owner');
    expect(await get('/cms-json/notes/v1/feed?_envelope')).toMatchObject({ body: '<é/>', status: 200 });
  });
});

describe('_jsonp', () => {
  it('wraps the answer', async () => {
    const answer = await site.app.inject({ url: `${ITEM}?_fields=id&_jsonp=a.b_1` });
    expect(answer.body).toBe('/**/a.b_1({"id":1})');
    expect(answer.headers['content-type']).toBe('application/javascript; charset=UTF-8');
  });

  it('wraps errors', async () => {
    expect((await site.app.inject({ url: `${LIST}/99?_jsonp=f` })).body).toMatch(/^\/\*\*\/f\(\{"code"/);
  });

  it.each(['a-b', 'a()', '%3Cscript%3E'])('=%s is refused', async (name) => {
    const answer = await site.app.inject({ url: `${ITEM}?_jsonp=${name}` });
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'rest_callback_invalid']);
  });

  it('has no effect when empty', async () => {
    expect(await get(`${ITEM}?_jsonp=&_fields=id`)).toEqual({ id: 1 });
  });
});

describe('as_of', () => {
  it('shows the site at a position', async () => {
    await write('PUT', ITEM, '{"title":"Later"}');
    expect(await get(`${ITEM}?_fields=title&as_of=1`)).toEqual({ title: { rendered: 'One' } });
    expect(await get(`${ITEM}?_fields=title`)).toEqual({ title: { rendered: 'Later' } });
    expect(await get(`${ITEM}?as_of=0`)).toMatchObject({ code: 'rest_post_invalid_id' });
  });

  it.each(['as_of=77', 'as_of[]=1'])('%s is refused', async (query) => {
    expect(await get(`${ITEM}?${query}`)).toMatchObject({ code: 'rest_invalid_param', data: { status: 400 } });
  });

  it('is refused on routes that do not show the past', async () => {
    expect(await get('/cms-json/notes/v1/people/4?as_of=77')).toMatchObject({ code: 'rest_no_past' });
  });
});
