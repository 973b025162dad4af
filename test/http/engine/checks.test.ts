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

describe('checking a request', () => {
  it('finds an unknown route before broken JSON, and broken JSON before anything else', async () => {
    const broken = { method: 'POST', payload: '{', headers: { 'content-type': 'application/json' } } as const;
    expect((await site.app.inject({ ...broken, url: '/cms-json/nowhere' })).json().code).toBe('rest_no_route');
    expect((await site.app.inject({ ...broken, url: LIST })).json().code).toBe('rest_invalid_json');
  });

  it('finds missing parameters before invalid ones', async () => {
    expect((await send('GET', '/cms-json/notes/v1/need')).body).toMatchObject({
      code: 'rest_missing_callback_param',
      data: { status: 400, params: ['url'] },
    });
    expect((await send('GET', '/cms-json/notes/v1/need?url=http://x')).body).toEqual({ url: 'http://x', size: 600 });
  });

  it('treats null as missing', async () => {
    const answer = await site.app.inject({
      method: 'GET',
      url: '/cms-json/notes/v1/need',
      payload: '{"url":null}',
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.json()).toMatchObject({ code: 'rest_missing_callback_param' });
  });

  it('reports all faults of a round together, and the second round only after a clean first', async () => {
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

  it('finds an invalid parameter before permissions and unknown ids', async () => {
    expect((await send('POST', LIST, { hidden: 'maybe' })).status).toBe(400);
    expect((await send('PUT', `${LIST}/99`, { tags: ['x'] })).status).toBe(400);
    expect((await send('PUT', `${LIST}/99`, {})).status).toBe(404);
  });

  it('lets null pass the first round as a reset; the second treats it as a value', async () => {
    expect(
      (await send('POST', LIST, { title: 'x', hidden: null, tags: null, stamp: null, meta: null }, asOwner)).status,
    ).toBe(201);
    expect((await send('PUT', `${LIST}/1`, { id: null }, asOwner)).body).toMatchObject({
      data: { details: { id: { code: 'rest_invalid_type' } } },
    });
  });

  it('may report a fault without details', async () => {
    expect((await send('POST', LIST, { meta: 'text' }, asOwner)).body.data).toEqual({
      status: 400,
      params: { meta: 'Invalid parameter.' },
      details: {},
    });
  });

  it('uses the check of a parameter instead of its schema', async () => {
    expect((await send('GET', `${LIST}?kind=anything`)).status).toBe(200);
    expect((await send('GET', `${LIST}?kind=secret`)).body.data.details.kind.data).toEqual({ status: 401 });
    expect((await send('GET', `${LIST}?kind=secret`, undefined, asOther)).status).toBe(200);
  });
});

describe('statuses', () => {
  it('are 401 for anonymous requests and 403 for users without the right', async () => {
    expect((await send('POST', LIST, { title: 'x' })).body).toMatchObject({
      code: 'rest_cannot_create',
      data: { status: 401 },
    });
    expect((await send('POST', LIST, { title: 'x' }, asOther)).body).toMatchObject({
      code: 'rest_cannot_create',
      data: { status: 403 },
    });
  });

  it('are 400 for unknown codes', async () => {
    expect((await send('POST', LIST, {}, asOwner)).body).toEqual({
      code: 'empty_content',
      message: 'Nothing to store.',
      data: { status: 400 },
    });
  });

  it('are 500 without details for exceptions', async () => {
    const { status, body } = await send('GET', '/cms-json/notes/v1/fails');
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('secret detail');
  });

  it('are 503 with Retry-After when the log is unavailable', async () => {
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

  it('lists methods in a fixed order, and is absent after a deletion', async () => {
    const { status, headers } = await send('DELETE', `${LIST}/1?force=true`, undefined, asOwner);
    expect([status, headers.allow]).toEqual([200, undefined]);
  });

  it('is determined with the parameters of the request', async () => {
    await send('POST', LIST, { title: 'Two' }, asOwner);
    expect((await send('PUT', `${LIST}/1`, { id: 99 }, asOwner)).headers.allow).toBeUndefined();
  });

  it('is sent with the refusal of broken JSON', async () => {
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
  it('return the log position, even when they are refused', async () => {
    expect((await send('POST', LIST, { title: 'x' }, asOwner)).headers['x-cms-position']).toBe('2');
    expect((await send('POST', LIST, {}, asOwner)).headers['x-cms-position']).toBe('2');
    expect((await send('GET', LIST)).headers).not.toHaveProperty('x-cms-position');
  });

  it('use the correlation id of the client if it is valid', async () => {
    await send('POST', LIST, { title: 'x' }, { ...asOwner, 'x-correlation-id': 'order-7' });
    expect(site.written.correlationId).toBe('order-7');
    for (const bad of ['a b', 'x'.repeat(129), '']) {
      await send('POST', LIST, { title: 'x' }, { ...asOwner, 'x-correlation-id': bad });
      expect(site.written.correlationId).toMatch(/^[\da-f-]{36}$/);
    }
  });

  it('apply only to the version in If-Match', async () => {
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

  it('ignore If-Match for resources without versions', async () => {
    expect((await send('POST', LIST, { title: 'x' }, { ...asOwner, 'if-match': '"1"' })).status).toBe(201);
  });

  it('are refused by permission before version', async () => {
    expect((await send('PUT', `${LIST}/1`, {}, { ...asOther, 'if-match': '"0"' })).status).toBe(403);
  });
});
