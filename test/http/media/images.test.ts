import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SITE, type Site, startSite } from '../../support/site.ts';
import { fetchFile, filesKept, pngOf, uploadBody } from '../../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 60 } } });

const upload = async (name: string, bytes: Buffer, query = '') => {
  const { status, body } = await uploadBody(site, 'author', { name, type: 'image/x', bytes }, { query });
  expect(status).toBe(201);
  return body;
};

const sizesOf = (body: { media_details: { sizes: Record<string, { width: number; height: number }> } }) =>
  Object.fromEntries(
    Object.entries(body.media_details.sizes).map(([name, { width, height }]) => [name, `${width}x${height}`]),
  );

const seen = async (address: string) => {
  const response = await fetchFile(site, address);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { type: response.headers.get('content-type'), bytes, ...(await sharp(bytes).metadata()) };
};

describe('an image', () => {
  it('has every size that is smaller than the original', async () => {
    const body = await upload('large.png', await plain(2100, 1400).png().toBuffer());
    expect(sizesOf(body)).toEqual({
      medium: '300x200',
      large: '1024x683',
      thumbnail: '150x150',
      medium_large: '768x512',
      '1536x1536': '1536x1024',
      '2048x2048': '2048x1365',
      full: '2100x1400',
    });
    for (const { source_url: address, width, height } of Object.values<{
      source_url: string;
      width: number;
      height: number;
    }>(body.media_details.sizes)) {
      expect(await seen(address)).toMatchObject({ type: 'image/png', width, height });
    }
    expect(body.missing_image_sizes).toEqual([]);
  });

  it.each([
    ['one of the size itself has none but the thumbnail', 300, 300, { thumbnail: '150x150', full: '300x300' }],
    ['a small one has none', 100, 120, {}],
    ['a flat one is cut only where it is too long', 200, 100, { thumbnail: '150x100', full: '200x100' }],
    [
      'a tall one is fitted by its height',
      150,
      1200,
      { medium: '38x300', large: '128x1024', thumbnail: '150x150', full: '150x1200' },
    ],
  ])('is never enlarged: %s', async (name, width, height, sizes) => {
    expect(sizesOf(await upload(`${name}.png`, pngOf(width, height)))).toEqual(sizes);
  });

  it.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)(
    'of format %s keeps the format in all sizes',
    async (format) => {
      const body = await upload(`format.${format}`, await plain(320, 240).toFormat(format).toBuffer());
      expect([body.media_type, body.mime_type]).toEqual(['image', `image/${format}`]);
      const medium = await seen(body.media_details.sizes.medium.source_url);
      expect([medium.type, medium.width, medium.height]).toEqual([`image/${format}`, 300, 225]);
    },
  );

  it('has the type of its bytes, not of its name', async () => {
    const body = await upload('photo.jpg', pngOf(2, 2));
    expect([body.mime_type, body.source_url]).toEqual(['image/png', `${SITE}/uploads/2026/03/photo.png`]);
  });

  it('with an orientation is shown upright in all sizes', async () => {
    const half = (background: string) => ({ create: { width: 200, height: 300, channels: 3 as const, background } });
    const right = await sharp(half('blue')).png().toBuffer();
    const picture = sharp(half('red'))
      .extend({ right: 200 })
      .composite([{ input: right, left: 200, top: 0 }]);
    // Orientation 6: rotated clockwise by 90° for display, so the left side becomes the top.
    const body = await upload('lying.jpg', await picture.jpeg().withMetadata({ orientation: 6 }).toBuffer());
    expect([body.media_details.width, body.media_details.height, body.exif_orientation]).toEqual([300, 400, 1]);
    // A number once it is turned, a text otherwise.
    expect(body.media_details.image_meta.orientation).toBe(1);
    expect([body.source_url, body.filename, body.media_details.original_image]).toEqual([
      `${SITE}/uploads/2026/03/lying-rotated.jpg`,
      'lying.jpg',
      'lying.jpg',
    ]);
    expect(sizesOf(body)).toMatchObject({ medium: '225x300', thumbnail: '150x150' });
    for (const address of [body.source_url, body.media_details.sizes.medium.source_url]) {
      const { bytes, orientation } = await seen(address);
      expect(orientation ?? 1).toBe(1);
      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      expect(data[0]).toBeGreaterThan(150);
      expect(data[(info.width * info.height - 1) * info.channels + 2]).toBeGreaterThan(200);
    }
    expect((await seen(`${SITE}/uploads/2026/03/lying.jpg`)).orientation).toBe(6);
  });

  it('that is very large is scaled down, and the original remains available', async () => {
    const body = await upload('huge.jpg', await plain(3000, 1500).jpeg().toBuffer());
    expect([body.source_url, body.media_details.width, body.media_details.height]).toEqual([
      `${SITE}/uploads/2026/03/huge-scaled.jpg`,
      2560,
      1280,
    ]);
    expect(await seen(body.source_url)).toMatchObject({ width: 2560, height: 1280 });
    expect(await seen(`${SITE}/uploads/2026/03/${body.media_details.original_image}`)).toMatchObject({ width: 3000 });
  });

  it.each([
    ['png', 3000, 300, [2560, 256], 'wide-png-scaled.png'],
    ['jpg', 2561, 10, [2561, 10], 'wide-jpg.jpg'],
  ] as const)('of format %s and %s × %s is scaled only if that changes more than a pixel', async (...given) => {
    const [type, width, height, shown, file] = given;
    const picture = plain(width, height);
    const bytes = await (type === 'png' ? picture.png() : picture.jpeg()).toBuffer();
    const { media_details: details, source_url: address } = await upload(`wide-${type}.${type}`, bytes);
    expect([[details.width, details.height], address.split('/').at(-1)]).toEqual([shown, file]);
  });

  it('has no EXIF data in its smaller sizes', async () => {
    const exif = { IFD0: { Copyright: 'somebody' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } };
    const body = await upload('where.jpg', await plain(400, 300).withExif(exif).jpeg().toBuffer());
    expect((await seen(body.media_details.sizes.medium.source_url)).exif).toBeUndefined();
  });

  it('has no sizes when they are not wanted or when it is damaged', async () => {
    const whole = pngOf(400, 300);
    const without = await upload('without.png', whole, 'generate_sub_sizes=false');
    const cut = await upload('cut.png', pngOf(400, 301).subarray(0, 60));
    for (const body of [without, cut]) {
      expect([sizesOf(body), body.missing_image_sizes, body.media_details.width]).toEqual([
        {},
        ['medium', 'thumbnail'],
        400,
      ]);
    }
  });

  it('of a format that cannot be scaled has its dimensions', async () => {
    const bitmap = Buffer.alloc(58);
    bitmap.write('BM', 'latin1');
    for (const [value, at] of [
      [58, 2],
      [54, 10],
      [40, 14],
      [1, 18],
      [-1, 22],
    ] as const)
      bitmap.writeInt32LE(value, at);
    const icon = Buffer.concat([
      Buffer.from([0, 0, 1, 0, 2, 0, 16, 16, 0, 0]),
      Buffer.alloc(12),
      Buffer.from([0, 32]),
      Buffer.alloc(14),
    ]);
    const bodies = [await upload('a.bmp', bitmap), await upload('b.ico', icon)];
    expect(bodies.map(({ mime_type: type, media_details: { width, height } }) => [type, width, height])).toEqual([
      ['image/bmp', 1, 1],
      ['image/x-icon', 256, 32],
    ]);
  });

  it('is rendered in its description with srcset', async () => {
    const body = await upload('shown.png', pngOf(800, 600), 'alt_text=a %22b%22&description=Words');
    const url = `${SITE}/uploads/2026/03/shown`;
    expect(body.description.rendered).toBe(
      `<p class="attachment"><a href='${url}.png'><img loading="lazy" decoding="async" width="300" height="225" src="${url}-300x225.png" class="attachment-medium size-medium" alt="a &quot;b&quot;" srcset="${url}-300x225.png 300w, ${url}-768x576.png 768w, ${url}.png 800w" sizes="auto, (max-width: 300px) 100vw, 300px" /></a></p>\n<p>Words</p>\n`,
    );
  });

  it('is processed correctly when many are uploaded at once', async () => {
    const before = filesKept(site).length;
    const wide = Array.from({ length: 6 }, (_, i) => pngOf(400 + i, 300));
    const bodies = await Promise.all(wide.map((bytes, i) => upload(`many-${i}.png`, bytes)));
    for (const body of bodies) expect((await seen(body.media_details.sizes.medium.source_url)).width).toBe(300);
    expect(filesKept(site).length).toBeGreaterThan(before + 6);
    expect(filesKept(site).filter((path) => path.startsWith('tmp'))).toEqual([]);
  });
});
