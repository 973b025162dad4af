import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../support/patience.ts';
import { type As, type Site, startSite } from '../../support/site.ts';
import { filesKept, pngOf, send, uploadBody, uploadForm } from '../../support/uploads.ts';

let site: Site;
let before: { position: number; files: string[] };
beforeAll(async () => {
  site = await startSite({ env: { UPLOAD_LIMIT: '200000', IMAGE_PIXELS: '1000000' } });
});
beforeEach(() => {
  before = { position: site.position(), files: filesKept(site) };
});
// No refusal leaves an event or a file.
afterEach(() => {
  expect({ position: site.position(), files: filesKept(site) }).toEqual(before);
});
afterAll(() => site.close());

const png = { name: 'x.png', type: 'image/png', bytes: pngOf(1, 1) };
const text = { name: 'x.txt', type: 'text/plain', bytes: 'text' };
const disposition = (value: string) => ({ headers: { 'content-disposition': value } });

describe('an upload as a body is refused', () => {
  it('without content', async () => {
    const { status, body } = await site.call('author', 'POST /media');
    expect([status, body.code]).toEqual([400, 'rest_upload_no_data']);
    expect((await uploadBody(site, 'author', { ...text, bytes: '' })).body.code).toBe('rest_upload_no_data');
  });

  it('without a content type', async () => {
    const headers = { 'content-type': '', 'content-disposition': 'attachment; filename=x.txt' };
    expect((await send(site, 'author', { body: 'text', headers })).body.code).toBe('rest_upload_no_content_type');
  });

  it('without Content-Disposition, even as JSON', async () => {
    const raw = await send(site, 'author', { body: 'text', headers: { 'content-type': 'text/plain' } });
    const json = await site.call('author', 'POST /media', { title: 'No file' });
    expect([raw.body.code, json.body.code]).toEqual(Array(2).fill('rest_upload_no_content_disposition'));
  });

  it.each([
    'attachment',
    'attachment; name=x',
    'filename=x.png; attachment',
    'attachment; filename=',
    'attachment; filename=""',
    "attachment; filename*=UTF-8''%ff.png",
  ])('with the Content-Disposition %s', async (value) => {
    const { status, body } = await uploadBody(site, 'author', png, disposition(value));
    expect([status, body.code]).toEqual([400, 'rest_upload_invalid_disposition']);
  });

  it('with a wrong Content-MD5', async () => {
    const headers = { 'content-md5': '0'.repeat(32) };
    const answers = [
      await uploadBody(site, 'author', png, { headers }),
      await uploadForm(site, 'author', png, { headers }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
      Array(2).fill([412, 'rest_upload_hash_mismatch']),
    );
  });

  it('in broken JSON, before authentication', async () => {
    const answer = await send(site, 'anonymous', { body: '{"a":', headers: { 'content-type': 'application/json' } });
    expect([answer.status, answer.body.code]).toEqual([400, 'rest_invalid_json']);
  });
});

describe('an upload as a form is refused', () => {
  it('without a file', async () => {
    const form = new FormData();
    form.append('title', 'No file');
    expect((await send(site, 'author', { body: form, headers: {} })).body.code).toBe('rest_upload_no_data');
  });

  it('with the file in another field, without a name, or empty', async () => {
    const codes = [
      (await uploadForm(site, 'author', png, { field: 'other' })).body.code,
      (await uploadForm(site, 'author', { name: '', type: 'application/octet-stream', bytes: '' })).body.code,
      (await uploadForm(site, 'author', { ...png, bytes: '' })).body.code,
    ];
    expect(codes).toEqual(Array(3).fill('rest_upload_unknown_error'));
  });

  it.each([
    ['without its end', '--b\r\nContent-Disposition: form-data; name="file"; filename="x.txt"\r\n\r\nhalf of it'],
    [
      'with another form inside',
      `--b\r\nContent-Disposition: form-data; name="file"; filename="x.png"\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\nContent-Disposition: file; filename="y.png"\r\n\r\n${pngOf(1, 1).toString('latin1')}\r\n--c--\r\n--b--\r\n`,
    ],
    [
      'with a name of several lines',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="x\r\n.txt"\r\n\r\nx\r\n--b--\r\n',
    ],
    ['of nothing', ''],
    ['with no boundary in it', 'no boundary anywhere'],
  ])('%s', async (_, body) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const answer = await send(site, 'author', { body: Buffer.from(body, 'latin1'), headers });
    expect(answer.status).toBe(400);
    expect(['rest_upload_no_data', 'rest_upload_unknown_error']).toContain(answer.body.code);
  });

  it('without a boundary in the content type', async () => {
    const headers = { 'content-type': 'multipart/form-data' };
    expect((await send(site, 'author', { body: 'x', headers })).body.code).toBe('rest_upload_no_data');
  });
});

describe('a file is refused', () => {
  it.each([
    ['a program', 'x.exe', 'MZ'],
    ['a page', 'x.html', '<p>x</p>'],
    ['a script', 'x.js', 'alert(1)'],
    ['a drawing that can hold scripts', 'x.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['a file without an ending', 'x', 'text'],
    ['an unknown ending', 'x.unknown', 'text'],
    ['text called an image', 'x.png', 'text'],
    ['a page called an image', 'x.gif', '<!doctype html>'],
    ['a page called text', 'x.txt', '\n<!DOCTYPE html><script>alert(1)</script>'],
    ['a drawing called text', 'x.txt', '<?xml version="1.0"?><svg/>'],
    ['an image called text', 'x.txt', pngOf(1, 1)],
    ['a program called an archive', 'x.zip', Buffer.from('4d5a90000300000004000000ffff0000b8000000', 'hex')],
    ['bytes called text', 'x.txt', Buffer.from([1, 2, 0, 3, 4])],
  ])('as %s', async (_, name, bytes) => {
    const file = { name, type: 'image/png', bytes };
    const [raw, form] = [await uploadBody(site, 'author', file), await uploadForm(site, 'author', file)];
    expect([raw.status, raw.body.code]).toEqual([400, 'rest_upload_sideload_error']);
    expect([form.status, form.body.code]).toEqual([400, 'rest_upload_unknown_error']);
  });

  it('beyond the size limit, as a body and as a form', async () => {
    const bytes = 'x'.repeat(200_001);
    const answers = [
      await uploadBody(site, 'author', { ...text, bytes }),
      await uploadForm(site, 'author', { ...text, bytes }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([413, 413]);
  });

  it('with form fields beyond the body limit', async () => {
    const { status } = await uploadForm(site, 'author', text, { fields: { title: 'x'.repeat(11_000_000) } });
    expect(status).toBe(413);
  });

  it('for an image with too many pixels, however small the file', async () => {
    const bomb = pngOf(30_000, 30_000, { rows: 1 });
    expect(bomb.length).toBeLessThan(1000);
    const { status, body } = await uploadBody(site, 'author', { ...png, bytes: bomb });
    expect([status, body.code]).toEqual([400, 'rest_upload_sideload_error']);
  });
});

describe('an upload is refused', () => {
  it.each<[As, number]>([
    ['contributor', 403],
    ['subscriber', 403],
    ['anonymous', 401],
  ])('for %s with %d, in any form', async (as, status) => {
    const answers = [
      await uploadBody(site, as, png),
      await uploadForm(site, as, png),
      await site.call(as, 'POST /media'),
    ];
    expect(answers.map((one) => [one.status, one.body.code])).toEqual(Array(3).fill([status, 'rest_cannot_create']));
  });

  it('for a post that the user may not edit, or that does not exist', async () => {
    for (const post of [987654321, await otherPost()]) {
      const { status, body } = await uploadBody(site, 'author', png, { query: `post=${post}` });
      expect([status, body.code]).toEqual([403, 'rest_cannot_edit']);
      expect((await uploadForm(site, 'author', png, { fields: { post: String(post) } })).body.code).toBe(
        'rest_cannot_edit',
      );
    }
  });

  it('for another author, or one that does not exist', async () => {
    expect((await uploadBody(site, 'author', png, { query: 'author=1' })).body.code).toBe('rest_cannot_edit_others');
    expect((await uploadBody(site, 'editor', png, { query: 'author=99' })).body.code).toBe('rest_invalid_author');
  });

  it('for invalid parameters, before permissions', async () => {
    const answers = [
      await uploadBody(site, 'anonymous', png, { query: 'comment_status=maybe' }),
      await uploadForm(site, 'subscriber', png, { fields: { status: 'bogus' } }),
      await uploadForm(site, 'author', png, { fields: { post: 'x' } }),
      await uploadBody(site, 'author', png, { query: 'template=wide' }),
    ];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([400, 'rest_invalid_param']));
  });

  it('for a featured image that does not exist', async () => {
    const { body } = await uploadBody(site, 'author', png, { query: 'featured_media=987654321' });
    expect(body.code).toBe('rest_invalid_featured_media');
  });

  async function otherPost(): Promise<number> {
    const id = await site.make('editor', '/posts', { title: 'Not theirs', status: 'publish' });
    before = { ...before, position: site.position() };
    return id;
  }
});

describe('a connection that breaks', () => {
  const head = (more: string) =>
    `POST /cms-json/cms/v2/media HTTP/1.1\r\nHost: x\r\nAuthorization: ${site.authorization('author')}\r\n${more}\r\n\r\n`;

  async function cutOff(start: string): Promise<void> {
    const socket = connect(site.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(start);
    await eventually(() => expect(filesKept(site)).not.toEqual(before.files));
    socket.destroy();
    await eventually(() => expect(filesKept(site)).toEqual(before.files));
  }

  it('in a body leaves nothing', () =>
    cutOff(
      `${head('Content-Type: text/plain\r\nContent-Disposition: attachment; filename=x.txt\r\nContent-Length: 1000')}half`,
    ));

  it('in a form leaves nothing, in the file or between parts', async () => {
    const form = head('Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000');
    await cutOff(`${form}--b\r\nContent-Disposition: form-data; name="file"; filename="x.txt"\r\n\r\nhalf`);
    await cutOff(
      `${form}--b\r\nContent-Disposition: form-data; name="file"; filename="x.txt"\r\n\r\nwhole\r\n--b\r\nConte`,
    );
  });

  it('in a chunk leaves nothing', () =>
    cutOff(
      `${head('Content-Type: text/plain\r\nContent-Disposition: attachment; filename=x.txt\r\nTransfer-Encoding: chunked')}ff\r\nhalf`,
    ));
});

describe('any upload request', () => {
  it('succeeds or leaves neither files nor events', async () => {
    const part = fc.constantFrom(
      '--b\r\n',
      '--b--\r\n',
      'Content-Disposition: form-data; name="file"; filename="x.txt"\r\n\r\n',
      'Content-Disposition: form-data; name="title"\r\n\r\n',
      'Content-Disposition: form-data; name="post"\r\n\r\n',
      'Content-Type: multipart/mixed; boundary=b\r\n',
      'some text\r\n',
      '987654321\r\n',
      '\r\n',
      '\0\u0001',
    );
    const header = fc.record(
      {
        'content-type': fc.constantFrom(
          'multipart/form-data; boundary=b',
          'text/plain',
          'application/json',
          'image/png',
        ),
        'content-disposition': fc.constantFrom('attachment; filename=x.txt', 'attachment; filename=x.png', 'x'),
        'content-md5': fc.constantFrom('x', '0'.repeat(32)),
      },
      { requiredKeys: ['content-type'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), header, async (parts, headers) => {
        const [position, files] = [site.position(), filesKept(site)];
        const answer = await send(site, 'author', { body: parts.join(''), headers });
        const taken = answer.status === 201;
        expect([site.position() > position, answer.status < 500]).toEqual([taken, true]);
        if (!taken) expect(filesKept(site)).toEqual(files);
        before = { position: site.position(), files: filesKept(site) };
      }),
      { numRuns: 150 },
    );
  });
});
