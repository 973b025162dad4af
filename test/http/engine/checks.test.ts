import { beforeEach, describe, expect, it } from 'vitest';
import { asOther, asOwner, createSite, type Site } from './support.ts';

let site: Site;
const LIST = '/cms-json/notes/v1/notes';

beforeEach(async () => {
  site = createSite();
  await send('POST', LIST, { title: 'One' }, asOwner);
});

const send = async (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  body: object | undefined = undefined,
  headers: Record<string, string> = {},
) => {
  const { payload } = { payload: body === undefined ? undefined : JSON.stringify(body) };
  const answer = await site.app.inject({
    method,
    url,
    ...(payload === undefined ? {} : { payload }),
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
};

describe('the order of checks', () => {
  it('an unknown route comes before broken JSON, and that before everything else', async () => {
    const broken = { method: 'POST', payload: '{', headers: { 'content-type': 'application/json' } } as const;
    expect((await site.app.inject({ ...broken, url: '/cms-json/nowhere' })).json().code).toBe('rest_no_route');
    expect((await site.app.inject({ ...broken, url: LIST })).json().code).toBe('rest_invalid_json');
  });

  it('missing parameters come before wrong ones', async () => {
    expect((await send('GET', '/cms-json/notes/v1/need')).body).toMatchObject({
      code: 'rest_missing_callback_param',
      data: { status: 400, params: ['url'] },
    });
    expect((await send('GET', '/cms-json/notes/v1/need?url=http://x')).body).toEqual({ url: 'http://x', size: 600 });
  });

  it('null is missing', async () => {
    const answer = await site.app.inject({
      method: 'GET',
      url: '/cms-json/notes/v1/need',
      payload: '{"url":null}',
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.json()).toMatchObject({ code: 'rest_missing_callback_param' });
  });

  it('all faults of a round are told together, those of the second only when the first is clean', async () => {
    const both = (await send('GET', `${LIST}?page=0&per_page=x&include=a&hidden=maybe`)).body;
    expect(both).toMatchObject({
      code: 'rest_invalid_param',
      data: { status: 400, params: { page: expect.any(String), per_page: expect.any(String) } },
    });
    expect(Object.keys(both.data.details)).toEqual(['page', 'per_page']);
    const second = (await send('GET', `${LIST}?include=1,a&hidden=maybe`)).body;
    expect(second.data.details).toEqual({
      include: {
        code: 'rest_invalid_type',
        message: 'include[1] is not of type integer.',
        data: { param: 'include[1]' },
      },
      hidden: { code: 'rest_invalid_type', message: 'hidden is not of type boolean.', data: { param: 'hidden' } },
    });
  });

  it('a wrong parameter comes before the permission and before an unknown id', async () => {
    expect((await send('POST', LIST, { hidden: 'maybe' })).status).toBe(400);
    expect((await send('PUT', `${LIST}/99`, { tags: ['x'] })).status).toBe(400);
    expect((await send('PUT', `${LIST}/99`, {})).status).toBe(404);
  });

  it('null passes the first round and clears; in the second it is a value', async () => {
    expect(
      (await send('POST', LIST, { title: 'x', hidden: null, tags: null, stamp: null, meta: null }, asOwner)).status,
    ).toBe(201);
    expect((await send('PUT', `${LIST}/1`, { id: null }, asOwner)).body).toMatchObject({
      data: { details: { id: { code: 'rest_invalid_type' } } },
    });
  });

  it('a fault may be told without details', async () => {
    expect((await send('POST', LIST, { meta: 'text' }, asOwner)).body.data).toEqual({
      status: 400,
      params: { meta: 'Invalid parameter.' },
      details: {},
    });
  });

  it('a check of its own takes the place of the schema', async () => {
    expect((await send('GET', `${LIST}?kind=anything`)).status).toBe(200);
    expect((await send('GET', `${LIST}?kind=secret`)).body.data.details.kind.data).toEqual({ status: 401 });
    expect((await send('GET', `${LIST}?kind=secret`, undefined, asOther)).status).toBe(200);
  });
});

describe('statuses', () => {
  it('who may not is told 401 as nobody and 403 as somebody', async () => {
    expect((await send('POST', LIST, { title: 'x' })).body).toMatchObject({
      code: 'rest_cannot_create',
      data: { status: 401 },
    });
    expect((await send('POST', LIST, { title: 'x' }, asOther)).body).toMatchObject({
      code: 'rest_cannot_create',
      data: { status: 403 },
    });
  });

  it('a code that nobody knows is a bad request', async () => {
    expect((await send('POST', LIST, {}, asOwner)).body).toEqual({
      code: 'empty_content',
      message: 'Nothing to store.',
      data: { status: 400 },
    });
  });

  it('an exception is a plain 500', async () => {
    const { status, body } = await send('GET', '/cms-json/notes/v1/fails');
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('secret detail');
  });

  it('a log that takes nothing now is 503, with a time to come back', async () => {
    site.fault = Object.assign(new Error('disk full'), { name: 'LogUnavailable' });
    const { status, body, headers } = await send('POST', LIST, { title: 'x' }, asOwner);
    expect([status, body.code, headers['retry-after']]).toEqual([503, 'rest_store_unavailable', '5']);
  });
});

describe('Allow', () => {
  it.each([
    ['GET', LIST, asOwner, 'GET, POST'],
    ['GET', LIST, {}, 'GET'],
    ['GET', `${LIST}?context=edit`, {}, undefined],
    ['GET', `${LIST}?page=0`, asOwner, 'GET, POST'],
    ['GET', `${LIST}/1`, asOwner, 'GET, POST, PUT, PATCH, DELETE'],
    ['GET', `${LIST}/1`, {}, 'GET'],
    ['GET', `${LIST}/99`, asOwner, undefined],
    ['GET', '/cms-json/nowhere', asOwner, undefined],
    ['PUT', `${LIST}/1`, {}, 'GET'],
    ['DELETE', `${LIST}/1`, asOwner, 'GET, POST, PUT, PATCH, DELETE'],
  ] as const)('%s %s %j: %s', async (method, url, headers, allow) => {
    expect((await send(method, url, undefined, headers)).headers.allow).toBe(allow);
  });

  it('names the methods in one order, and is gone with the item', async () => {
    const { status, headers } = await send('DELETE', `${LIST}/1?force=true`, undefined, asOwner);
    expect([status, headers.allow]).toEqual([200, undefined]);
  });

  it('is asked with the parameters of the request', async () => {
    await send('POST', LIST, { title: 'Two' }, asOwner);
    expect((await send('PUT', `${LIST}/1`, { id: 99 }, asOwner)).headers.allow).toBeUndefined();
  });

  it('stands beside broken JSON', async () => {
    const answer = await site.app.inject({
      method: 'PUT',
      url: `${LIST}/1`,
      payload: '{',
      headers: { ...asOwner, 'content-type': 'application/json' },
    });
    expect(answer.headers.allow).toBe('GET, POST, PUT, PATCH, DELETE');
  });
});

describe('writes', () => {
  it('carry the position in the log, also when they are refused', async () => {
    expect((await send('POST', LIST, { title: 'x' }, asOwner)).headers['x-cms-position']).toBe('2');
    expect((await send('POST', LIST, {}, asOwner)).headers['x-cms-position']).toBe('2');
    expect((await send('GET', LIST)).headers).not.toHaveProperty('x-cms-position');
  });

  it('go into the log under the mark that the client sends, if it is a sane one', async () => {
    await send('POST', LIST, { title: 'x' }, { ...asOwner, 'x-correlation-id': 'order-7' });
    expect(site.written.correlationId).toBe('order-7');
    for (const bad of ['a b', 'x'.repeat(129), '']) {
      await send('POST', LIST, { title: 'x' }, { ...asOwner, 'x-correlation-id': bad });
      expect(site.written.correlationId).toMatch(/^[\da-f-]{36}$/);
    }
  });

  it('happen only to the version that If-Match names', async () => {
    const { headers } = await send('GET', `${LIST}/1`);
    const tag = String(headers.etag);
    const change = async (match: string, id = 1) =>
      (await send('PUT', `${LIST}/${id}`, { title: 'y' }, { ...asOwner, 'if-match': match })).body;
    expect(await change('"0.abc"')).toMatchObject({ code: 'rest_precondition_failed', data: { status: 412 } });
    expect(await change('nonsense')).toMatchObject({ code: 'rest_precondition_failed' });
    expect(await change(`"x", W/${tag}`)).toMatchObject({ id: 1 });
    expect(await change(tag)).toMatchObject({ code: 'rest_precondition_failed' });
    expect(await change('*')).toMatchObject({ id: 1 });
    expect(await change('*', 99)).toMatchObject({ code: 'rest_post_invalid_id' });
  });

  it('are not held up by If-Match where nothing has a version', async () => {
    expect((await send('POST', LIST, { title: 'x' }, { ...asOwner, 'if-match': '"1"' })).status).toBe(201);
  });

  it('tell a refused user so before they tell of versions', async () => {
    expect((await send('PUT', `${LIST}/1`, {}, { ...asOther, 'if-match': '"0"' })).status).toBe(403);
  });
});
