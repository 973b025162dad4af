import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fileKeyOf } from '#media/files.ts';
import { healthOf } from '#ops/metrics/health.ts';
import { typed } from '../../node/erasure/support.ts';
import { ordered } from '../../support/erasure-order.ts';
import { eventually } from '../../support/patience.ts';
import { carryOut } from '../../support/place.ts';
import { prefix, useS3 } from '../../support/s3.ts';
import { type Site, startSite } from '../../support/site.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { fetchFile, filesKept, pngOf, uploadBody } from '../../support/uploads.ts';

const s3 = await useS3();
let site: Site;
beforeAll(async () => {
  site = await startSite({ env: { MEDIA_URL: s3.url } });
  site.node.start();
});
afterAll(() => site.close());
beforeEach(() => {
  s3.fault = null;
});

const upload = (name: string, bytes: Uint8Array | string, type = 'image/png') =>
  uploadBody(site, 'author', { name, type, bytes });
const keyFor = (bytes: Uint8Array | string) => prefix + fileKeyOf(createHash('sha256').update(bytes).digest('hex'));

describe('uploaded files in S3 storage', () => {
  it('are stored only there with all sizes, and served from there, also in ranges', async () => {
    const png = pngOf(400, 300);
    const { status, body } = await upload('a.png', png);
    expect(status).toBe(201);
    const { sizes } = body.media_details;
    expect(s3.objects.size).toBe(
      1 + new Set(Object.values(sizes).map((one) => (one as { file: string }).file)).size - 1,
    );
    expect(filesKept(site)).toEqual([]);
    const whole = await fetchFile(site, body.source_url);
    expect([whole.status, Buffer.from(await whole.arrayBuffer()).equals(png)]).toEqual([200, true]);
    const part = await fetchFile(site, body.source_url, { headers: { range: 'bytes=1-3' } });
    expect([part.status, await part.text()]).toEqual([206, 'PNG']);
    const head = await fetchFile(site, body.source_url, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(png.length));
    expect((await fetchFile(site, sizes.medium.source_url)).status).toBe(200);
  });

  for (const fault of ['short', 'long', 'cut'] as const) {
    it(`abort the connection when the store sends a wrong number of bytes (${fault})`, async () => {
      const { body } = await upload(`${fault}.txt`, `Letters that are ${fault}`, 'text/plain');
      expect((await fetchFile(site, body.source_url)).status).toBe(200);
      s3.fault = fault;
      const headers = { range: 'bytes=2-9' };
      const whole = fetchFile(site, body.source_url, { headers }).then((answer) => answer.text());
      await expect(whole).rejects.toThrow(TypeError);
    });
  }

  it('are edited without leaving local files', async () => {
    const { body } = await upload('turned.png', pngOf(401, 300));
    const steps = { src: body.source_url, modifiers: [{ type: 'rotate', args: { angle: 90 } }] };
    const edited = await site.call('author', `POST /media/${body.id}/edit`, steps);
    expect([edited.status, edited.body.media_details?.width]).toEqual([201, 300]);
    expect(readdirSync(join(site.directory, 'media', 'tmp'))).toEqual([]);
  });

  it('may arrive in pieces, of which none is left', async () => {
    const request = (method: string, path: string, headers: Record<string, string>, body?: string) =>
      fetch(`http://127.0.0.1:${site.port}${path}`, {
        method,
        headers: {
          authorization: site.authorization('author'),
          'tus-resumable': '1.0.0',
          connection: 'close',
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      });
    const name = Buffer.from('pieces.txt').toString('base64');
    const begun = await request('POST', '/cms-json/cms/v2/media/resumable', {
      'upload-length': '10',
      'upload-metadata': `filename ${name}`,
    });
    const at = begun.headers.get('location') ?? '';
    const type = { 'content-type': 'application/offset+octet-stream' };
    await request('PATCH', at, { ...type, 'upload-offset': '0' }, 'Two ');
    expect(s3.objects.has(keyFor('Two pieces'))).toBe(false);
    const last = await request('PATCH', at, { ...type, 'upload-offset': '4' }, 'pieces');
    expect([last.status, s3.objects.has(keyFor('Two pieces'))]).toEqual([204, true]);
    const { body } = await site.call('author', `GET /media/${last.headers.get('x-cms-media')}`);
    expect(await (await fetchFile(site, body.source_url)).text()).toBe('Two pieces');
    expect(filesKept(site).filter((file) => !file.endsWith('.json'))).toEqual([]);
  });

  it('are not served when they are damaged, until they are uploaded again', async () => {
    const text = 'Some letters';
    const { body } = await upload('damaged.txt', text, 'text/plain');
    const key = keyFor(text);
    const stored = s3.objects.get(key);
    if (stored === undefined) throw new Error('it is not there');
    s3.objects.set(key, { ...stored, bytes: Buffer.from('some Letters'), tag: '"other"' });
    const refused = await fetchFile(site, body.source_url);
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([503, 'rest_file_damaged']);
    await upload('again.txt', text, 'text/plain');
    expect(await (await fetchFile(site, body.source_url)).text()).toBe(text);
  });

  it('are deleted when their item is erased', async () => {
    const text = 'To be forgotten';
    const { body } = await upload('secret.txt', text, 'text/plain');
    expect(s3.objects.has(keyFor(text))).toBe(true);
    await typed(site.node, 'erase media', { id: String(body.id), ...ordered });
    expect(s3.objects.has(keyFor(text))).toBe(false);
  });

  it('are listed and swept as garbage when no event refers to them', async () => {
    const text = 'Nobody names this';
    const hash = createHash('sha256').update(text).digest('hex');
    s3.objects.set(keyFor(text), { bytes: Buffer.from(text), changed: new Date(), tag: '"x"' });
    expect(await site.node.store.garbage.list()).toEqual([{ hash, bytes: text.length }]);
    expect(await site.node.store.garbage.sweep()).toHaveLength(1);
    expect(s3.objects.has(keyFor(text))).toBe(false);
  });

  it('are checked by verify', async () => {
    const text = 'To be looked at';
    await upload('verified.txt', text, 'text/plain');
    const env = { MEDIA_URL: s3.url, SITE_URL: 'http://site.example' };
    expect(await carryOut(site.directory, 'verify', {}, { env })).toMatchObject({ kind: 'done' });
    const stored = s3.objects.get(keyFor(text));
    s3.objects.delete(keyFor(text));
    expect(await carryOut(site.directory, 'verify', {}, { env })).toMatchObject({ kind: 'wrong' });
    if (stored !== undefined) s3.objects.set(keyFor(text), stored);
  });

  it('are included in backup and restore', async () => {
    const env = { MEDIA_URL: s3.url };
    const backup = join(temporaryDirectory(), 'backup');
    expect(await carryOut(site.directory, 'backup', { directory: backup }, { env })).toMatchObject({ kind: 'done' });
    const before = new Map(s3.objects);
    s3.objects.clear();
    const restored = `${backup}-restored`;
    expect(await carryOut(restored, 'restore', { directory: backup }, { env })).toMatchObject({ kind: 'done' });
    expect([...s3.objects.keys()].sort()).toEqual([...before.keys()].sort());
  });
});

describe('media move', () => {
  const env = { MEDIA_URL: s3.url };
  const move = (args: object) => carryOut(site.directory, 'media move', { ...args }, { env });

  it('copies all files to a folder and back, resumes, and removes the source on request', async () => {
    const before = new Map([...s3.objects].map(([key, { bytes }]) => [key, bytes]));
    const folder = temporaryDirectory();
    expect(await move({ to: folder })).toMatchObject({ kind: 'done', value: { copied: before.size, removed: 0 } });
    expect(s3.objects.size).toBe(before.size);
    const [first = '', second = ''] = before.keys();
    s3.objects.delete(first);
    s3.objects.set(second, { bytes: Buffer.from('x'), changed: new Date(), tag: '"cut"' });
    const back = await move({ from: folder, remove: true });
    expect(back).toMatchObject({ kind: 'done', value: { copied: 2, there: before.size - 2, removed: before.size } });
    expect(new Map([...s3.objects].map(([key, { bytes }]) => [key, bytes]))).toEqual(before);
    expect(await move({ to: folder })).toMatchObject({ value: { copied: before.size } });
  });

  it('refuses and names files whose content does not match their name', async () => {
    const folder = temporaryDirectory();
    const hash = 'ab'.repeat(32);
    mkdirSync(join(folder, 'ab'));
    writeFileSync(join(folder, 'ab', hash), 'something else');
    const size = s3.objects.size;
    expect(await move({ from: folder, remove: true })).toMatchObject({ kind: 'wrong', value: { damaged: [hash] } });
    expect([s3.objects.size, existsSync(join(folder, 'ab', hash))]).toEqual([size, true]);
  });

  it('requires a valid second store', async () => {
    await expect(move({})).rejects.toThrow('either --from or --to');
    await expect(move({ to: 's3://user:secret@bucket/' })).rejects.toThrow('AWS_ACCESS_KEY_ID');
    await expect(move({ to: s3.url })).rejects.toThrow('the same');
  });
});

describe('unreachable S3 storage', () => {
  it('makes uploads and files answer 503 with rest_files_unavailable, while everything else works', async () => {
    const { body } = await upload('there.txt', 'It is there', 'text/plain');
    const [count, position] = [s3.objects.size, site.position()];
    s3.fault = 'gone';
    for (const answer of [await upload('a.png', pngOf(300, 200)), await fetchFile(site, body.source_url)]) {
      const { code } = answer instanceof Response ? ((await answer.json()) as { code: string }) : answer.body;
      expect([answer.status, code, answer.headers.get('retry-after')]).toEqual([503, 'rest_files_unavailable', '5']);
    }
    expect(site.position()).toBe(position);
    const health = healthOf(site.node);
    expect([health.reasons(), health.warnings?.()]).toMatchObject([[], [{ code: 'files_unreachable' }]]);
    expect((await site.call('author', 'POST /posts', { title: 'Goes on' })).status).toBe(201);
    s3.fault = null;
    expect([s3.objects.size, s3.unfinished.size]).toEqual([count, 0]);
    expect(readdirSync(join(site.directory, 'media', 'tmp'))).toEqual([]);
    await eventually(() => expect(health.warnings?.()).toEqual([]));
    expect((await upload('a.png', pngOf(300, 200))).status).toBe(201);
  });
});
