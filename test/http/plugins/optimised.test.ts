import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { PUBLIC, startOutside } from '../../outgoing/support.ts';
import { callback, callPlugin, startPluginSite } from '../../support/plugins.ts';
import type { Site } from '../../support/site.ts';
import { uploadBody } from '../../support/uploads.ts';

const files = new Map<string, Buffer>();
const image = (width: number) =>
  sharp({ create: { width, height: 60, channels: 3, background: '#c33', noise: { type: 'gaussian', sigma: 30 } } });
const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex');

let site: Site;
let outside: Awaited<ReturnType<typeof startOutside>>;
let media: { id: number; source_url: string };
let original: Buffer;

beforeAll(async () => {
  const names = { 'node.optimiser.example': [PUBLIC] };
  outside = await startOutside((request, response) => {
    const bytes = files.get(request.url ?? '');
    response.writeHead(bytes === undefined ? 404 : 200).end(bytes);
  }, names);
  site = await startPluginSite('A', {}, { outgoing: outside.outgoing });
  original = await image(80).png().toBuffer();
  media = (await uploadBody(site, 'author', { name: 'p.png', type: 'image/png', bytes: original })).body;
});
afterAll(async () => {
  await site.close();
  await outside.close();
});

const notify = async (told: Record<string, unknown>, more: Record<string, unknown> = {}) => {
  const data = { [media.id]: { id: media.id, src_size: original.length, ...told } };
  const body = { data, server: 'https://node.optimiser.example', status: 6, ...more };
  expect((await callback(site, '/cache/v1/notify_img', body)).body._res).toBe('ok');
  for (const job of site.jobs) await job.work();
};
const shown = async (accept: string, headers: Record<string, string> = {}) => {
  const { pathname } = new URL(media.source_url);
  const response = await fetch(`http://127.0.0.1:${site.port}${pathname}`, { headers: { accept, ...headers } });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get('content-type'), bytes, headers: response.headers };
};
const told = async () => {
  const { notices } = (await callPlugin(site, 'administrator', 'GET /cache/v1/cloud')).body;
  return notices.at(-1)?.text;
};

it('an optimised image is refused when it does not match its report', async () => {
  const [webp, wide, large] = [
    await image(80).webp({ quality: 20 }).toBuffer(),
    await image(90).webp({ quality: 20 }).toBuffer(),
    Buffer.alloc(original.length),
  ];
  for (const [path, bytes] of Object.entries({ '/a': webp, '/wide': wide, '/large': large })) files.set(path, bytes);
  const tries = [
    [{ webp: 'a', webp_md5: md5(wide) }, 'its digest differs'],
    [{ webp: 'wide', webp_md5: md5(wide) }, 'it is no image/webp of the same size'],
    [{ avif: 'a', avif_md5: md5(webp) }, 'it is no image/avif of the same size'],
    [{ webp: 'large', webp_md5: md5(large) }, 'it is not smaller'],
    [{ webp: 'missing', webp_md5: md5(webp) }, 'it could not be fetched (404)'],
    [{ webp: 'https://elsewhere.example/a', webp_md5: md5(webp) }, 'it is not on a server of the optimiser'],
  ] as const;
  for (const [item, reason] of tries) {
    await notify(item);
    expect(await told()).toContain(reason);
    expect((await shown('image/webp,image/avif')).type).toBe('image/png');
  }
  expect(outside.asked).not.toContain('elsewhere.example');
});

it('an optimised image is sent to clients that accept its type, until the optimiser withdraws it', async () => {
  const webp = await image(80).webp({ quality: 20 }).toBuffer();
  files.set('/made/p.webp', webp);
  const before = await shown('*/*');
  await notify({ webp: 'made/p.webp', webp_md5: md5(webp), webp_reduced: 10 });
  const taken = await shown('image/avif,image/webp,*/*');
  expect([taken.type, taken.bytes.equals(webp), taken.headers.get('vary')]).toEqual(['image/webp', true, 'Accept']);
  const plain = await shown('*/*');
  expect([plain.type, plain.bytes.equals(original)]).toEqual(['image/png', true]);
  expect((await shown('image/webp;q=0')).type).toBe('image/png');
  const tag = taken.headers.get('etag') ?? '';
  expect(tag).not.toBe(before.headers.get('etag'));
  expect((await shown('image/webp', { 'if-none-match': tag })).status).toBe(304);
  const part = await shown('image/webp', { range: 'bytes=0-9' });
  expect([part.status, part.bytes.equals(webp.subarray(0, 10))]).toEqual([206, true]);
  await site.restart();
  expect((await shown('image/webp')).type).toBe('image/webp');
  await callback(site, '/cache/v1/notify_img', { data: [media.id], server: 'optimiser.example', status: -7 });
  expect((await shown('image/webp')).type).toBe('image/png');
});

it('an optimised image of the same type is sent to all clients', async () => {
  const small = await image(80).png({ palette: true, colours: 4 }).toBuffer();
  files.set('/small.png', small);
  await notify({ ori: 'small.png', ori_md5: md5(small), ori_reduced: 5 });
  expect((await shown('*/*')).bytes.equals(small)).toBe(true);
});

it('optimised images replace every size of an image, matched by digest', async () => {
  const bytes = await image(400).png().toBuffer();
  const { body } = await uploadBody(site, 'author', { name: 'wide.png', type: 'image/png', bytes });
  const { id, media_details: details } = body;
  const { data } = (
    await callback(site, '/cache/v1/notify_img', {
      ...{ data: { [id]: { id, src_size: 1 } }, server: 'https://node.optimiser.example', status: 6 },
    }).then(() => callback(site, '/cache/v1/check_img', { data: id }))
  ).body;
  const records = data.img_data as { src: string; src_md5: string }[];
  expect(records.map(({ src }) => src)).toContain(details.sizes.medium.source_url);
  const entries = [];
  for (const [index, { src, src_md5 }] of records.entries()) {
    const kept = await fetch(src.replace('http://site.example', `http://127.0.0.1:${site.port}`));
    const webp = await sharp(await kept.arrayBuffer())
      .webp({ quality: 20 })
      .toBuffer();
    files.set(`/size-${index}`, webp);
    entries.push({ id, src_md5, src_size: 1, webp: `size-${index}`, webp_md5: md5(webp) });
  }
  // An additional entry for a file that does not belong to the image.
  entries.push({
    id,
    src_md5: md5(Buffer.from('another')),
    src_size: 1,
    webp: 'size-0',
    webp_md5: entries[0]?.webp_md5,
  });
  await callback(site, '/cache/v1/notify_img', { data: entries, server: 'https://node.optimiser.example', status: 6 });
  for (const job of site.jobs) await job.work();
  const page = await site.make('editor', '/posts', { title: 'With sizes', status: 'publish', featured_media: id });
  const { link } = (await site.call('anonymous', `GET /posts/${page}`)).body;
  const markup = await (await fetch(link.replace('http://site.example', `http://127.0.0.1:${site.port}`))).text();
  const [, offered = ''] = /srcset="([^"]+)"/.exec(markup) ?? [];
  const addresses = offered.split(',').map((one) => one.trim().split(' ')[0] ?? '');
  expect(addresses.length).toBeGreaterThan(1);
  for (const address of addresses) {
    const url = address.replace('http://site.example', `http://127.0.0.1:${site.port}`);
    const sent = await fetch(url, { headers: { accept: 'image/webp' } });
    const own = records.findIndex(({ src }) => src === address);
    const made = Buffer.from(await sent.arrayBuffer());
    expect([address, made.equals(files.get(`/size-${own}`) ?? Buffer.alloc(0))]).toEqual([address, true]);
  }
});
