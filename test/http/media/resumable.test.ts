import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import * as tus from 'tus-js-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/patience.ts';
import { type As, type Site, startSite } from '../../support/site.ts';
import { fetchFile, filesKept, pngOf, uploadBody } from '../../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite({ env: { UPLOAD_LIMIT: '200000' } });
});
afterAll(() => site.close());

const PATH = '/cms-json/cms/v2/media/resumable';
const TYPE = 'application/offset+octet-stream';
const image = pngOf(400, 300);

const metadataOf = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',');

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytes?: Uint8Array | string;
}

/** A request of the protocol; `path` is that of the collection of uploads, or one that `Location` named. */
async function send(as: As, method: string, path = PATH, { headers = {}, bytes }: Sent = {}) {
  const authorization = site.authorization(as);
  const response = await fetch(`http://127.0.0.1:${site.port}${path}`, {
    method,
    headers: {
      connection: 'close',
      'tus-resumable': '1.0.0',
      ...(authorization === '' ? {} : { authorization }),
      ...(bytes === undefined ? {} : { 'content-type': TYPE }),
      ...headers,
    },
    ...(bytes === undefined ? {} : { body: Buffer.from(bytes) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

const begin = (as: As, length: number, fields: Readonly<Record<string, string>>, more: Sent = {}) =>
  send(as, 'POST', PATH, {
    ...more,
    headers: { 'upload-length': String(length), 'upload-metadata': metadataOf(fields), ...more.headers },
  });

async function begun(as: As, length: number, fields: Readonly<Record<string, string>>): Promise<string> {
  const { status, headers } = await begin(as, length, fields);
  expect(status).toBe(201);
  return headers.get('location') ?? '';
}

const piece = (as: As, at: string, offset: number, bytes: Uint8Array | string) =>
  send(as, 'PATCH', at, { bytes, headers: { 'upload-offset': String(offset) } });

const partialsKept = () => readdirSync(join(site.directory, 'media', 'partial'));
const itemOf = async (headers: Headers) =>
  (await site.call('editor', `GET /media/${headers.get('x-cms-media')}?context=edit`)).body;

describe('an upload in pieces', () => {
  it('becomes one item with its fields, by the library that clients use', async () => {
    const before = site.position();
    const { promise, resolve, reject } = Promise.withResolvers<tus.OnSuccessPayload>();
    const upload = new tus.Upload(image, {
      endpoint: `http://127.0.0.1:${site.port}${PATH}`,
      headers: { authorization: site.authorization('author') },
      metadata: { filename: 'Sea view.png', filetype: 'image/png', title: 'Sea', alt_text: 'The sea' },
      chunkSize: 500,
      onSuccess: resolve,
      onError: reject,
    });
    upload.start();
    const { lastResponse } = await promise;
    const id = lastResponse.getHeader('X-CMS-Media');
    const { body } = await site.call('author', `GET /media/${id}?context=edit`);
    expect([body.title.raw, body.alt_text, body.filename, body.author]).toEqual(['Sea', 'The sea', 'Sea-view.png', 3]);
    expect(Object.keys(body.media_details.sizes)).toEqual(['medium', 'thumbnail', 'full']);
    expect(Buffer.from(await (await fetchFile(site, body.source_url)).arrayBuffer())).toEqual(image);
    expect(lastResponse.getHeader('X-CMS-Position')).toBe(String(site.position()));
    expect([...site.node.log.read({ from: before + 1 })].filter(({ type }) => type === 'MediaUploaded')).toHaveLength(
      1,
    );
  });

  it('goes on where it stood after a lost connection, and after a restart of the server', async () => {
    const bytes = 'one two three';
    const at = await begun('author', bytes.length, { filename: 'lost.txt', post: '0' });
    const socket = connect(site.port, '127.0.0.1');
    socket.write(
      `PATCH ${at} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: ${TYPE}\r\n` +
        `Authorization: ${site.authorization('author')}\r\nContent-Length: ${bytes.length}\r\n\r\none `,
    );
    const stands = async () => (await send('author', 'HEAD', at)).headers.get('upload-offset');
    const file = join(site.directory, 'media', 'partial', at.split('/').at(-1) ?? '');
    await eventually(() => expect(readFileSync(file, 'utf8')).toBe('one '));
    socket.destroy();
    await eventually(async () => expect(await stands()).toBe('4'));
    await site.restart();
    const { status, headers } = await send('author', 'HEAD', at);
    expect([status, headers.get('upload-offset'), headers.get('upload-length'), headers.get('cache-control')]).toEqual([
      200,
      '4',
      '13',
      'no-store',
    ]);
    expect((await piece('author', at, 4, 'two ')).headers.get('upload-offset')).toBe('8');
    const last = await piece('author', at, 8, 'three');
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '13']);
    const item = await itemOf(last.headers);
    expect(await (await fetchFile(site, item.source_url)).text()).toBe(bytes);
  });

  it('goes on at once although an earlier connection hangs', async () => {
    const at = await begun('author', 7, { filename: 'hangs.txt' });
    const socket = connect(site.port, '127.0.0.1');
    socket.write(
      `PATCH ${at} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: ${TYPE}\r\n` +
        `Authorization: ${site.authorization('author')}\r\nContent-Length: 7\r\n\r\none `,
    );
    const file = join(site.directory, 'media', 'partial', at.split('/').at(-1) ?? '');
    await eventually(() => expect(readFileSync(file, 'utf8')).toBe('one '));
    expect((await send('author', 'HEAD', at)).headers.get('upload-offset')).toBe('4');
    expect((await piece('author', at, 4, 'two')).status).toBe(204);
    socket.destroy();
  });

  it('that has become an item still names it, so that a lost last answer costs nothing', async () => {
    const at = await begun('author', 4, { filename: 'answer.txt' });
    const first = await piece('author', at, 0, 'text');
    const position = site.position();
    await site.restart();
    const { headers } = await send('author', 'HEAD', at);
    expect([headers.get('upload-offset'), headers.get('x-cms-media')]).toEqual(['4', first.headers.get('x-cms-media')]);
    const again = await piece('author', at, 4, '');
    expect([again.status, again.headers.get('x-cms-media'), site.position()]).toEqual([
      204,
      first.headers.get('x-cms-media'),
      position,
    ]);
  });

  it('that could not be completed takes its last byte again', async () => {
    const at = await begun('author', 4, { filename: 'again.txt' });
    await piece('author', at, 0, 'tex');
    // All bytes had arrived when the server was killed.
    const file = join(site.directory, 'media', 'partial', at.split('/').at(-1) ?? '');
    await site.restart(() => writeFileSync(file, 'text'));
    expect((await send('author', 'HEAD', at)).headers.get('upload-offset')).toBe('3');
    const last = await piece('author', at, 3, 't');
    expect([last.status, (await itemOf(last.headers)).filesize]).toEqual([204, 4]);
  });

  it('may be one piece, sent at once', async () => {
    const { status, headers } = await begin('author', 4, { filename: 'once.txt' }, { bytes: 'once' });
    expect([status, headers.get('upload-offset')]).toEqual([201, '4']);
    expect((await itemOf(headers)).filename).toBe('once.txt');
  });

  it('answers with the first item if it is repeated within a minute', async () => {
    const first = await begin('author', 5, { filename: 'twice.txt' }, { bytes: 'twice' });
    const position = site.position();
    const again = await begin('author', 5, { filename: 'twice.txt' }, { bytes: 'twice' });
    expect([again.headers.get('x-cms-media'), again.headers.get('x-cms-repeated'), site.position()]).toEqual([
      first.headers.get('x-cms-media'),
      'true',
      position,
    ]);
  });

  it('makes one item when its last piece arrives several times at once', async () => {
    const at = await begun('author', 8, { filename: 'racing.txt' });
    await piece('author', at, 0, 'racing');
    const position = site.position();
    await Promise.all([1, 2, 3].map(() => piece('author', at, 6, '!!')));
    expect(site.position()).toBe(position + 1);
  });

  it('never fails when requests for it come in any order at once', async () => {
    for (let n = 0; n < 5; n++) {
      const at = await begun('author', 8, { filename: `any ${n}.txt` });
      await piece('author', at, 0, 'racing');
      const all = await Promise.all([
        ...[1, 2, 3].map(() => piece('author', at, 6, '!!')),
        ...[1, 2, 3].map(() => send('author', 'HEAD', at)),
        ...(n % 2 === 0 ? [] : [send('author', 'DELETE', at)]),
      ]);
      expect(all.map(({ status }) => status).filter((status) => ![200, 204, 404, 409].includes(status))).toEqual([]);
    }
  });

  it('can be begun with other fields in the query', async () => {
    const { headers } = await send('author', 'POST', `${PATH}?title=Asked&alt_text=x`, {
      bytes: 'query',
      headers: { 'upload-length': '5', 'upload-metadata': metadataOf({ filename: 'q.txt', alt_text: 'Meta' }) },
    });
    const { title, alt_text } = await itemOf(headers);
    expect([title.raw, alt_text]).toEqual(['Asked', 'Meta']);
  });

  it('has a name in any script, of which only the safe part is kept', async () => {
    const { headers } = await begin('author', 4, { filename: '日本; it\'s "x".txt' }, { bytes: 'name' });
    expect((await itemOf(headers)).filename).toBe('日本-its-x.txt');
  });

  it('can be given up, and cannot be read', async () => {
    const at = await begun('author', 10, { filename: 'up.txt' });
    await piece('author', at, 0, 'up');
    expect((await send('author', 'GET', at)).status).toBe(404);
    expect((await send('author', 'DELETE', at)).status).toBe(204);
    expect((await send('author', 'HEAD', at)).status).toBe(404);
    expect(partialsKept().filter((name) => at.endsWith(name.replace('.json', '')))).toEqual([]);
  });

  it('takes PATCH as an overridden method', async () => {
    const at = await begun('author', 4, { filename: 'over.txt' });
    const headers = { 'upload-offset': '0', 'x-http-method-override': 'PATCH' };
    expect((await send('author', 'POST', at, { bytes: 'over', headers })).status).toBe(204);
  });
});

describe('an upload in pieces is refused', () => {
  const codeOf = ({ status, body }: { status: number; body: { code: string } | null }) => [status, body?.code];

  it('without the right to upload, or with a field that a plain upload refuses', async () => {
    const names = { filename: 'no.txt' };
    const post = await site.make('editor', '/posts', { title: 'Not theirs' });
    const before = partialsKept();
    expect(codeOf(await begin('anonymous', 4, names))).toEqual([401, 'rest_cannot_create']);
    expect(codeOf(await begin('contributor', 4, names))).toEqual([403, 'rest_cannot_create']);
    expect(codeOf(await begin('author', 4, { ...names, post: String(post) }))).toEqual([403, 'rest_cannot_edit']);
    expect(codeOf(await begin('author', 4, { ...names, date: 'some day' }))).toEqual([400, 'rest_invalid_param']);
    expect(codeOf(await begin('author', 4, { ...names, release: '1' }))).toEqual([400, 'rest_release_not_supported']);
    expect(partialsKept()).toEqual(before);
  });

  it('without a name, or with one of a type that is not allowed', async () => {
    expect(codeOf(await begin('author', 4, {}, { headers: { 'upload-metadata': 'title eA==' } }))).toEqual([
      400,
      'rest_upload_no_file_name',
    ]);
    expect(codeOf(await begin('author', 4, { filename: 'a.exe' }))).toEqual([400, 'rest_upload_sideload_error']);
  });

  it('that is too large, as announced or as sent', async () => {
    expect(codeOf(await begin('author', 200_001, { filename: 'large.txt' }))).toEqual([413, 'rest_request_too_large']);
    const at = await begun('author', 4, { filename: 'larger.txt' });
    expect(codeOf(await piece('author', at, 0, 'larger'))).toEqual([413, 'rest_request_too_large']);
    const response = await fetch(`http://127.0.0.1:${site.port}${at}`, {
      method: 'PATCH',
      duplex: 'half',
      body: ReadableStream.from([Buffer.from('lar'), Buffer.from('ger')]),
      headers: {
        authorization: site.authorization('author'),
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': TYPE,
      },
    } as RequestInit);
    const { code } = (await response.json()) as { code: string };
    expect([response.status, code]).toEqual([413, 'rest_request_too_large']);
  });

  it('at its end if the bytes are not what the name says, and then nothing is left of it', async () => {
    const [before, position, kept] = [partialsKept(), site.position(), filesKept(site).length];
    const bytes = '<html>no image</html>';
    const at = await begun('author', bytes.length, { filename: 'wrong.png' });
    await piece('author', at, 0, bytes.slice(0, 5));
    const plain = await uploadBody(site, 'author', { name: 'wrong.png', type: 'image/png', bytes });
    const last = await piece('author', at, 5, bytes.slice(5));
    expect([last.status, last.body]).toEqual([plain.status, plain.body]);
    expect([partialsKept(), site.position(), filesKept(site).length]).toEqual([before, position, kept]);
    expect((await send('author', 'HEAD', at)).status).toBe(404);
  });

  it('if it is empty', async () => {
    const { status, body } = await begin('author', 0, { filename: 'empty.txt' });
    expect([status, body.code]).toEqual([400, 'rest_upload_no_data']);
  });

  it('at another offset than it has', async () => {
    const at = await begun('author', 9, { filename: 'offset.txt' });
    await piece('author', at, 0, 'off');
    expect(codeOf(await piece('author', at, 0, 'off'))).toEqual([409, 'rest_upload_offset']);
    expect(codeOf(await piece('author', at, 4, 'set'))).toEqual([409, 'rest_upload_offset']);
    expect((await send('author', 'HEAD', at)).headers.get('upload-offset')).toBe('3');
  });

  it('to everybody but the user who began it', async () => {
    const at = await begun('author', 9, { filename: 'mine.txt' });
    for (const method of ['HEAD', 'PATCH', 'DELETE']) {
      const sent = method === 'PATCH' ? { bytes: 'x', headers: { 'upload-offset': '0' } } : {};
      expect((await send('administrator', method, at, sent)).status).toBe(404);
      expect((await send('anonymous', method, at, sent)).status).toBe(401);
    }
    expect((await send('author', 'HEAD', at)).headers.get('upload-offset')).toBe('0');
  });

  it('to a page of another site', async () => {
    const at = await begun('author', 9, { filename: 'foreign.txt' });
    const headers = { origin: 'https://evil.example', 'upload-offset': '0' };
    expect(codeOf(await begin('author', 9, { filename: 'foreign.txt' }, { headers }))).toEqual([
      403,
      'rest_cross_site_request',
    ]);
    expect(codeOf(await send('author', 'PATCH', at, { bytes: 'x', headers }))).toEqual([
      403,
      'rest_cross_site_request',
    ]);
  });

  it('once a day has passed, and then removed', async () => {
    const at = await begun('author', 9, { filename: 'old.txt' });
    const [name = ''] = partialsKept().filter((one) => at.endsWith(one));
    const file = join(site.directory, 'media', 'partial', name);
    const long = new Date(Date.now() - 25 * 3_600_000);
    const described = JSON.parse(readFileSync(`${file}.json`, 'utf8'));
    writeFileSync(`${file}.json`, JSON.stringify({ ...described, creation_date: long.toISOString() }));
    expect(codeOf(await piece('author', at, 0, 'x'))).toEqual([410, 'rest_upload_expired']);
    for (const each of [file, `${file}.json`]) utimesSync(each, long, long);
    await site.node.store.garbage.sweep();
    expect([existsSync(file), existsSync(`${file}.json`)]).toEqual([false, false]);
    expect(codeOf(await piece('author', at, 0, 'x'))).toEqual([404, 'rest_upload_not_found']);
  });

  it('by another method, however it is named', async () => {
    for (const method of ['TRACE', 'a b', 'GET', 'PUT']) {
      const { status, body } = await send('author', 'POST', PATH, { headers: { 'x-http-method-override': method } });
      expect([status, body.code]).toEqual([404, 'rest_upload_not_found']);
    }
  });

  it('while too many of the same user are not complete', async () => {
    const all: string[] = [];
    for (let n = 0; n < 64; n++) all.push(await begun('editor', 4, { filename: 'many.txt' }));
    expect(codeOf(await begin('editor', 4, { filename: 'many.txt' }))).toEqual([429, 'rest_too_many_uploads']);
    expect((await send('editor', 'DELETE', all[0])).status).toBe(204);
    expect((await begin('editor', 4, { filename: 'many.txt' })).status).toBe(201);
  });

  it.each([
    ['another version of the protocol', { 'tus-resumable': '0.2.2' }, 412, 'rest_upload_protocol'],
    ['no length', { 'upload-length': '' }, 400, 'rest_upload_invalid'],
    ['a length that is no number', { 'upload-length': '1e3' }, 400, 'rest_upload_invalid'],
    ['a length that follows', { 'upload-defer-length': '1' }, 400, 'rest_upload_invalid'],
    ['fields that are not in base64', { 'upload-metadata': 'filename ?' }, 400, 'rest_upload_invalid'],
    ['parts to put together', { 'upload-concat': 'partial' }, 400, 'rest_upload_invalid'],
  ])('with %s', async (_, headers, status, code) => {
    expect(codeOf(await begin('author', 4, { filename: 'bad.txt' }, { headers }))).toEqual([status, code]);
  });

  it.each([
    ['no offset', {}, 400, 'rest_upload_invalid'],
    ['an offset that is none', { 'upload-offset': '-1' }, 400, 'rest_upload_invalid'],
    ['another type', { 'upload-offset': '0', 'content-type': 'text/plain' }, 400, 'rest_upload_invalid'],
  ])('in a piece with %s', async (_, headers, status, code) => {
    const at = await begun('author', 4, { filename: 'bad.txt' });
    expect(codeOf(await send('author', 'PATCH', at, { bytes: 'x', headers }))).toEqual([status, code]);
    await send('author', 'DELETE', at);
  });
});

describe('the protocol', () => {
  it('is described to clients and to browsers', async () => {
    const headers = { origin: 'http://site.example', 'access-control-request-method': 'PATCH' };
    const { status, headers: answered } = await send('anonymous', 'OPTIONS', PATH, { headers });
    expect([status, answered.get('tus-version'), answered.get('tus-max-size')]).toEqual([204, '1.0.0', '200000']);
    expect(answered.get('tus-extension')).toBe('creation,creation-with-upload,termination,expiration');
    expect(answered.get('access-control-allow-headers')).toContain('Upload-Offset');
    expect(answered.get('access-control-allow-methods')).toContain('PATCH');
    const begins = await begin('author', 4, { filename: 'o.txt' }, { headers: { origin: 'http://site.example' } });
    expect(begins.headers.get('access-control-expose-headers')).toContain('X-CMS-Media');
    expect([begins.headers.get('access-control-allow-origin'), begins.headers.get('x-correlation-id')]).toEqual([
      'http://site.example',
      expect.any(String),
    ]);
    expect([begins.headers.get('tus-resumable'), begins.headers.get('upload-expires')]).toEqual([
      '1.0.0',
      expect.any(String),
    ]);
  });
});
