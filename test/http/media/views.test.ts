import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseMedia } from '#commands/erasure.ts';
import { someOrder } from '../../support/erasure-order.ts';
import { eventually } from '../../support/patience.ts';
import { type Site, startSite } from '../../support/site.ts';
import { pngOf, uploadBody } from '../../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite({ env: { IMAGE_PIXELS: '4000000' } });
});
afterAll(() => site.close());

const plain = (width: number, height: number, background = '#c81e3c') =>
  sharp({ create: { width, height, channels: 4, background } });

/** Uploads an image. Returns its record and the path of its shown file. */
async function upload(name: string, bytes: Buffer, at = site) {
  const { status, body } = await uploadBody(at, 'author', { name, type: 'image/x', bytes });
  expect(status).toBe(201);
  return { ...body, path: new URL(body.source_url).pathname } as { id: number; path: string };
}

const ask = (path: string, init: RequestInit = {}, at = site) => fetch(`http://127.0.0.1:${at.port}${path}`, init);

async function look(path: string, at = site) {
  const answer = await ask(path, {}, at);
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (answer.status !== 200) return { status: answer.status, ...JSON.parse(bytes.toString()) };
  const { width, pageHeight, height, pages = 1, hasAlpha } = await sharp(bytes, { animated: true }).metadata();
  const type = answer.headers.get('content-type');
  return { status: 200, type, size: [width, pageHeight ?? height], pages, hasAlpha, bytes };
}

const kept = (at = site) => {
  const folder = join(at.directory, 'images');
  const all = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return all.map((name) => join(folder, name)).filter((path) => statSync(path).isFile());
};

describe('an image by address', () => {
  it.each([
    ['w=300', [300, 200], 'image/jpeg'],
    ['h=150', [225, 150], 'image/jpeg'],
    ['w=300&h=150', [225, 150], 'image/jpeg'],
    ['w=300&h=150&fit=cover', [300, 150], 'image/jpeg'],
    ['w=300&h=300&fit=contain', [300, 300], 'image/jpeg'],
    ['w=300&fit=cover', [300, 200], 'image/jpeg'],
    ['w=2048', [1200, 800], 'image/jpeg'],
    ['w=2048&h=2048&fit=cover', [800, 800], 'image/jpeg'],
    ['w=2560&h=1280&fit=contain', [1600, 800], 'image/jpeg'],
    ['w=320&fm=webp', [320, 213], 'image/webp'],
    ['w=320&fm=avif', [320, 213], 'image/avif'],
    ['fm=png', [1200, 800], 'image/png'],
    ['fit=inside', [1200, 800], 'image/jpeg'],
  ] as const)('has the size and the format that %s says, and is never enlarged', async (query, size, type) => {
    const { path } = await upload('sized.jpg', await plain(1200, 800).flatten().jpeg().toBuffer());
    expect(await look(`${path}?${query}`)).toMatchObject({ status: 200, size: [...size], type });
  });

  it('is the file itself without parameters, and where the file is none that can be sized', async () => {
    const bytes = pngOf(40, 40);
    const { path } = await upload('same.png', bytes);
    expect((await look(`${path}?s=x&v=2`)).bytes).toEqual(bytes);
    const text = (await uploadBody(site, 'author', { name: 'a.txt', type: 'text/plain', bytes: 'Words' })).body;
    expect(await (await ask(`${new URL(text.source_url).pathname}?w=300`)).text()).toBe('Words');
  });

  it.each([
    ['w=301', 'w', /^w must be one of 150, 300, .*2560\. Any other needs a signature/],
    ['h=1', 'h', /^h must be one of 150, /],
    ['w=0', 'w', 'w must be a whole number from 1 to 4096.'],
    ['w=-300', 'w', 'w must be a whole number from 1 to 4096.'],
    ['w=300.5', 'w', 'w must be a whole number from 1 to 4096.'],
    ['h=99999', 'h', 'h must be a whole number from 1 to 4096.'],
    ['w=', 'w', 'w must be a whole number from 1 to 4096.'],
    ['w=300&fit=crop', 'fit', 'fit must be one of inside, cover, contain.'],
    ['fm=gif', 'fm', 'fm must be one of jpeg, webp, avif, png.'],
    ['fm=toString', 'fm', 'fm must be one of jpeg, webp, avif, png.'],
    ['w=301&s=0123456789012345678901', 'w', /^w must be one of/],
  ] as const)('is refused with a sentence for %s', async (query, name, sentence) => {
    const { path } = await upload('refused.png', pngOf(400, 300));
    const { status, code, data } = await look(`${path}?${query}`);
    expect([status, code, Object.keys(data.params)]).toEqual([400, 'rest_invalid_param', [name]]);
    expect(data.params[name]).toMatch(sentence);
  });

  it('is upright, without what the camera noted, and white where a JPEG cannot be transparent', async () => {
    const lying = await plain(600, 300).flatten().jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const { path } = await upload('lying.jpg', lying);
    const original = path.replace('-rotated', '');
    expect(await look(`${original}?w=150`)).toMatchObject({ size: [150, 300] });
    const { bytes } = await look(`${original}?w=150`);
    expect((await sharp(bytes).metadata()).orientation).toBeUndefined();
    const clear = await upload('clear.png', await plain(400, 400, '#0000').png().toBuffer());
    const white = await look(`${clear.path}?w=300&fm=jpeg`);
    expect([...(await sharp(white.bytes).raw().toBuffer()).subarray(0, 3)]).toEqual([255, 255, 255]);
    expect(await look(`${clear.path}?w=300&fm=webp`)).toMatchObject({ hasAlpha: true });
  });

  it('moves in GIF and WebP, and stands still in other formats, or with too many pixels in all frames', async () => {
    const frames = await Promise.all(['red', 'lime', 'blue'].map((one) => plain(400, 200, one).png().toBuffer()));
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const { path } = await upload('moving.gif', gif);
    expect(await look(`${path}?w=150`)).toMatchObject({ type: 'image/gif', size: [150, 75], pages: 3 });
    expect(await look(`${path}?w=150&h=150&fit=cover&fm=webp`)).toMatchObject({ size: [150, 150], pages: 3 });
    expect(await look(`${path}?w=150&h=150&fit=contain`)).toMatchObject({ size: [150, 150], pages: 3 });
    expect(await look(`${path}?w=150&fm=png`)).toMatchObject({ size: [150, 75], pages: 1 });
    const many = await Promise.all(['red', 'lime', 'blue'].map((one) => plain(1500, 1000, one).png().toBuffer()));
    const large = await upload(
      'large.gif',
      await sharp(many, { join: { animated: true } })
        .gif()
        .toBuffer(),
    );
    expect(await look(`${large.path}?w=150`)).toMatchObject({ type: 'image/gif', size: [150, 100], pages: 1 });
  });

  it('is refused where the image cannot be decoded, or has more pixels than the site takes now', async () => {
    const { path } = await upload('broken.png', pngOf(400, 300, { rows: 10 }));
    expect(await look(`${path}?w=150`)).toMatchObject({ status: 400, code: 'rest_unknown_image_file_type' });
    const large = await upload('pixels.png', pngOf(1900, 1000));
    await site.restart(undefined, { env: { IMAGE_PIXELS: '1000000' } });
    expect(await look(`${large.path}?w=150`)).toMatchObject({ status: 400, code: 'rest_unknown_image_file_type' });
    await site.restart();
  });

  it('has a tag, parts and a head as other files have', async () => {
    const { path } = await upload('parts.png', await plain(500, 400).png().toBuffer());
    const whole = await ask(`${path}?w=300`);
    const bytes = Buffer.from(await whole.arrayBuffer());
    const tag = whole.headers.get('etag') ?? '';
    expect(whole.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect([whole.headers.get('vary'), whole.headers.get('content-security-policy')]).toEqual([
      null,
      expect.stringContaining('sandbox'),
    ]);
    const head = await ask(`${path}?w=300`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([
      200,
      String(bytes.length),
      tag,
    ]);
    const part = await ask(`${path}?w=300`, { headers: { range: 'bytes=10-19', 'if-range': tag } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes.subarray(10, 20)]);
    expect((await ask(`${path}?w=300`, { headers: { 'if-none-match': tag } })).status).toBe(304);
    expect((await ask(`${path}?w=320`)).headers.get('etag')).not.toBe(tag);
    expect((await ask(path)).headers.get('etag')).not.toBe(tag);
  });
});

describe('a signed address', () => {
  it('is given to those who may upload, and shows any size, of that image alone', async () => {
    const { id, path } = await upload('signed.png', await plain(500, 400).png().toBuffer());
    const sign = (as: 'author' | 'subscriber' | 'anonymous', body: object, of = id) =>
      site.call(as, `POST /media/${of}/image`, body);
    const { status, body } = await sign('author', { w: 123, fm: 'webp' });
    expect(status).toBe(200);
    const { pathname, search } = new URL(body.url);
    expect([pathname, search]).toEqual([path, expect.stringMatching(/^\?w=123&fm=webp&s=[\w-]{22}$/)]);
    expect(await look(pathname + search)).toMatchObject({ type: 'image/webp', size: [123, 98] });
    // The order of the parameters means nothing.
    const s = new URL(body.url).searchParams.get('s');
    expect(await look(`${pathname}?s=${s}&fm=webp&w=123`)).toMatchObject({ size: [123, 98] });
    expect((await sign('author', { w: 123, fm: 'webp' })).body.url).toBe(body.url);
    const other = await upload('other.png', await plain(500, 401).png().toBuffer());
    for (const changed of [
      `${path}?w=124&fm=webp&s=${s}`,
      `${path}?w=123&s=${s}`,
      `${other.path}?w=123&fm=webp&s=${s}`,
    ])
      expect((await look(changed)).status).toBe(400);
    expect([(await sign('subscriber', { w: 5 })).status, (await sign('anonymous', { w: 5 })).status]).toEqual([
      403, 401,
    ]);
    expect((await sign('author', { w: 5000 })).body.data.params).toHaveProperty('w');
    expect((await sign('author', { w: 5 }, 999_999)).status).toBe(404);
    await site.restart();
    expect(await look(pathname + search)).toMatchObject({ size: [123, 98] });
    await site.rebuild();
    expect(await look(pathname + search)).toMatchObject({ size: [123, 98] });
  });
});

describe('what is kept of images by address', () => {
  it('is made once, and read again after a start', async () => {
    const { path } = await upload('once.png', await plain(700, 500).png().toBuffer());
    const before = kept();
    const all = await Promise.all(Array.from({ length: 20 }, () => look(`${path}?w=640&fm=avif`)));
    expect(new Set(all.map(({ bytes }) => bytes.toString('base64'))).size).toBe(1);
    const [file = '', ...others] = kept().filter((one) => !before.includes(one));
    expect(others).toEqual([]);
    const { ino } = statSync(file);
    await site.restart();
    expect((await look(`${path}?w=640&fm=avif`)).bytes).toEqual(all[0]?.bytes);
    expect(statSync(file).ino).toBe(ino);
  });

  it('is made again if it is damaged or gone, and what a kill has left is removed', async () => {
    const { path } = await upload('again.png', await plain(700, 501).png().toBuffer());
    const before = kept();
    const { bytes } = await look(`${path}?w=640`);
    const [file = ''] = kept().filter((one) => !before.includes(one));
    const left = join(site.directory, 'images/tmp/left');
    await site.restart(() => {
      writeFileSync(file, 'x'.repeat(bytes.length));
      mkdirSync(join(left, '..'), { recursive: true });
      writeFileSync(left, 'half');
    });
    expect((await look(`${path}?w=640`)).bytes).toEqual(bytes);
    expect(existsSync(left)).toBe(false);
  });

  it('is not answered to those who may not see the file, and not once that is deleted', async () => {
    const { id, path } = await upload('private.png', await plain(400, 402).png().toBuffer());
    expect((await look(`${path}?w=300`)).status).toBe(200);
    await site.call('author', `PUT /media/${id}`, { status: 'private' });
    const headers = { authorization: site.authorization('author') };
    const own = await ask(`${path}?w=300`, { headers });
    expect([own.status, own.headers.get('cache-control'), own.headers.get('vary')]).toEqual([
      200,
      'private, no-cache',
      'Authorization',
    ]);
    expect((await ask(`${path}?w=300`)).status).toBe(404);
    expect((await ask(`${path}?w=301`)).status).toBe(404);
    await site.call('author', `DELETE /media/${id}?force=true`);
    expect((await ask(`${path}?w=300`, { headers })).status).toBe(404);
  });

  it('goes with an erasure, also what is being made then', async () => {
    const { id, path } = await upload('erased.png', await plain(1400, 1003).png().toBuffer());
    const before = kept();
    for (const query of ['w=300', 'w=300&fm=webp', 'h=150']) expect((await look(`${path}?${query}`)).status).toBe(200);
    expect(kept().filter((one) => !before.includes(one))).toHaveLength(3);
    const making = ask(`${path}?fm=avif`).then((answer) => answer.arrayBuffer());
    await site.call('author', `DELETE /media/${id}?force=true`);
    await site.node.store.submit({ viewer: null, correlationId: 'test' }, (session) =>
      eraseMedia(session, id, someOrder),
    );
    expect(await site.node.store.erasing.finish()).toBe(true);
    await making;
    await eventually(() => expect(kept().filter((one) => !before.includes(one))).toEqual([]));
    expect((await look(`${path}?w=300`)).status).toBe(404);
  });
});

describe('the space for images by address', () => {
  it('is bounded: the least recently used go first', { timeout: 60_000 }, async () => {
    const small = await startSite({ env: { IMAGE_BYTES: '30000', IMAGE_LENGTHS: '100,200,300,400' } });
    try {
      const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
      const bytes = await sharp({ create: { width: 500, height: 100, channels: 3, background: 'red', noise } })
        .jpeg()
        .toBuffer();
      const { path } = await upload('noise.jpg', bytes, small);
      const names = () => kept(small).map((one) => /w=\d+/.exec(one)?.[0]);
      await look(`${path}?w=400`, small);
      await look(`${path}?w=300`, small);
      await look(`${path}?w=400`, small);
      const total = () => kept(small).reduce((sum, one) => sum + statSync(one).size, 0);
      for (let i = 0; i < 4; i += 1)
        await look(`${path}?w=200&h=100&fm=${['jpeg', 'webp', 'png', 'avif'][i % 4]}`, small);
      await eventually(() => expect(total()).toBeLessThanOrEqual(30_000));
      expect(names()).not.toContain('w=300');
      expect(await look(`${path}?w=300`, small)).toMatchObject({ size: [300, 60] });
    } finally {
      await small.close();
    }
  });

  it('can be none: then images are as they are stored', async () => {
    const none = await startSite({ env: { IMAGE_BYTES: '0' } });
    try {
      const { path } = await upload('none.png', pngOf(400, 300), none);
      expect(await look(`${path}?w=150`, none)).toMatchObject({ size: [400, 300] });
      expect(kept(none)).toEqual([]);
    } finally {
      await none.close();
    }
  });
});
