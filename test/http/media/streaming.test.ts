import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../../support/site.ts';
import { fetchFile, filesKept } from '../../support/uploads.ts';

const MEBIBYTE = 1024 * 1024;
/** Large enough that uncollected garbage, about ten mebibytes, does not matter. */
const size = 96 * MEBIBYTE;
const headers = { 'content-type': 'application/zip', 'content-disposition': 'attachment; filename=large.zip' };
const piece = Buffer.alloc(MEBIBYTE, 1);

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** Sends a body of `size` with a prefix and suffix, at the pace of the server. Returns the answer and the growth of memory. */
async function sendLarge(more: Record<string, string>, around: readonly [string, string] = ['', '']) {
  const before = process.memoryUsage.rss();
  let max = before;
  const socket = connect(site.port, '127.0.0.1');
  const answer = text(socket);
  const length = size + around[0].length + around[1].length;
  socket.write(
    requestHead(site.authorization('author'), { ...more, 'content-length': String(length), connection: 'close' }),
  );
  socket.write(around[0]);
  for (let sent = 0; sent < size; sent += MEBIBYTE) {
    if (!socket.write(piece)) await once(socket, 'drain');
    max = Math.max(max, process.memoryUsage.rss());
  }
  socket.write(around[1]);
  const body = JSON.parse((await answer).split('\r\n\r\n').at(-1) ?? '');
  return { body, growth: max - before };
}

function requestHead(authorization: string, more: Record<string, string>, query = ''): string {
  const lines = Object.entries({ host: 'x', authorization, ...more }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /cms-json/cms/v2/media${query} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

describe('a large upload', () => {
  it('is streamed to disk with bounded memory, and served unchanged', async () => {
    const { body, growth } = await sendLarge(headers);
    expect(body.filesize).toBe(size);
    // The whole file would take its size.
    expect(growth).toBeLessThan((size * 3) / 4);

    const whole = createHash('sha256');
    for (let sent = 0; sent < size; sent += MEBIBYTE) whole.update(piece);
    const file = await fetchFile(site, body.source_url);
    const served = createHash('sha256');
    for await (const chunk of file.body ?? []) served.update(chunk);
    expect(served.digest('hex')).toBe(whole.digest('hex'));
  });

  it('is streamed with bounded memory as a form', async () => {
    const start = '--b\r\nContent-Disposition: form-data; name="file"; filename="form.zip"\r\n\r\n';
    const end = '\r\n--b\r\nContent-Disposition: form-data; name="title"\r\n\r\nLast\r\n--b--\r\n';
    const { body, growth } = await sendLarge({ 'content-type': 'multipart/form-data; boundary=b' }, [start, end]);
    expect([body.filesize, body.title.raw]).toEqual([size, 'Last']);
    // The whole file would take its size.
    expect(growth).toBeLessThan((size * 3) / 4);
  });

  it.each([
    ['nobody', '', 401],
    ['who may not upload', 'contributor', 403],
  ] as const)('is refused before its body arrives when it comes from %s', async (_, as, status) => {
    expect(await answerTo(as === '' ? '' : site.authorization(as), headers)).toBe(status);
  });

  it('is refused before its body arrives when headers or parameters are invalid', async () => {
    const author = site.authorization('author');
    expect(await answerTo(author, { 'content-type': 'image/png' })).toBe(400);
    expect(await answerTo(author, headers, '?comment_status=maybe')).toBe(400);
    expect(filesKept(site).filter((path) => path.startsWith('tmp'))).toEqual([]);
  });
});

/** Returns the status of the answer to the beginning of a large upload. */
async function answerTo(authorization: string, more: Record<string, string>, query = ''): Promise<number> {
  const socket = connect(site.port, '127.0.0.1');
  socket.write(requestHead(authorization, { ...more, 'content-length': String(2 ** 30) }, query));
  socket.write(Buffer.alloc(1000));
  const [chunk] = await once(socket, 'data');
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(String(chunk))?.[1]);
}
