import { once } from 'node:events';
import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, type Site, startSite } from '../support/site.ts';

const NAMELESS = '--X\r\nContent-Disposition: form-data\r\n\r\n1\r\n--X--\r\n';
const form = { 'content-type': 'multipart/form-data; boundary=X' };

describe('a multipart body', () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());

  /** Uses its own socket, because fetch sends no body with GET. */
  const send = async (as: As, line: string, body: Uint8Array | string): Promise<{ status: number; body: string }> => {
    const socket = connect(site.port, '127.0.0.1');
    const credentials = site.authorization(as);
    const head = [
      `${line} HTTP/1.1`,
      'Host: x',
      'Connection: close',
      `Content-Type: ${form['content-type']}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      ...(credentials === '' ? [] : [`Authorization: ${credentials}`]),
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(body);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    await once(socket, 'close');
    const [answer = '', ...rest] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n');
    return { status: Number(answer.split(' ')[1]), body: rest.join('\r\n\r\n') };
  };

  it.each([
    'GET /cms-json/',
    'GET /cms-json/cms/v2/posts',
    'POST /cms-json/cms/v2/posts',
    'DELETE /cms-json/cms/v2/posts/1',
    'POST /cms-json/batch/v1',
    'POST /cms-json/cms/v2/media',
  ])('with a nameless field is refused at %s', async (line) => {
    const answers = [await send('anonymous', line, NAMELESS), await send('author', line, NAMELESS)];
    expect(answers.map(({ status, body }) => [status, JSON.parse(body).code])).toEqual(
      Array(2).fill([400, 'rest_invalid_multipart']),
    );
  });

  it('with a nameless field answers 404 at an unknown route', async () => {
    expect((await send('anonymous', 'POST /cms-json/nowhere', NAMELESS)).status).toBe(404);
  });

  it.each([
    ['', 100],
    ['', 70_000],
    ['Content-Type: text/plain\r\n', 70_000],
    ['Content-Disposition: attachment; name="title"\r\n', 70_000],
    ['Content-Disposition\r\n', 70_000],
  ])('is read past parts that are not fields (%j, %i bytes)', async (head, size) => {
    const title = '--X\r\nContent-Disposition: form-data; name="title"\r\n\r\nBehind it\r\n';
    const body = `--X\r\n${head}\r\n${'a'.repeat(size)}\r\n${title}--X--\r\n`;
    const answer = await send('author', 'POST /cms-json/cms/v2/posts', body);
    expect([answer.status, JSON.parse(answer.body).title?.raw]).toEqual([201, 'Behind it']);
  });

  it('with thousands of parts is refused', async () => {
    const answer = await send('author', 'POST /cms-json/cms/v2/posts', `${'--X\r\n\r\n\r\n'.repeat(5000)}--X--\r\n`);
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([400, 'rest_invalid_multipart']);
  });

  it.each([
    ['name="title"', 'plain'],
    ['name=title', 'a token'],
    ['NAME="title"', 'upper case'],
    [' name = "title" ', 'with blanks'],
    ['x="a;b\\"c";name="title"', 'behind another parameter'],
  ])('accepts field names written as %s', async (name) => {
    const body = `--X\r\ncontent-disposition:form-data;${name}\r\n\r\nHallo\r\n--X--\r\n`;
    expect((await send('author', 'POST /cms-json/cms/v2/posts', body)).status).toBe(201);
  });

  it('of any bytes gets an answer, and so does the next request', async () => {
    const piece = fc.oneof(
      fc.constantFrom('--X', '--X--', '\r\n', '\n', '\r', '--', ':', ';', '"', '\\', '=', '\0', 'a'.repeat(70_000)),
      fc.constantFrom('Content-Disposition: form-data', 'Content-Disposition:', 'Content-Type: text/plain', '\r\n\r\n'),
      fc.constantFrom(
        '; name="title"',
        '; name="a[b]"',
        '; name',
        '; name=',
        '; filename="x.txt"',
        "; filename*=utf-8''%",
      ),
      fc.constantFrom('Content-Type: multipart/mixed; boundary=X', 'Content-Transfer-Encoding: base64'),
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
      fc
        .array(fc.oneof({ weight: 4, arbitrary: piece }, { weight: 1, arbitrary: fc.string({ unit: 'binary' }) }), {
          maxLength: 30,
        })
        .map((pieces) => Buffer.from(pieces.join(''))),
    );
    const line = fc.constantFrom('GET /cms-json/', 'POST /cms-json/cms/v2/posts', 'POST /cms-json/cms/v2/media');
    await fc.assert(
      fc.asyncProperty(fc.constantFrom<As>('anonymous', 'author'), line, bytes, async (as, target, body) => {
        const { status } = await send(as, target, body);
        expect([200, 201, 400, 401, 413]).toContain(status);
      }),
      { numRuns: 300 },
    );
    expect((await site.call('anonymous', 'GET /posts')).status).toBe(200);
  });
});
