import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SITE, type Site, startSite } from '../../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

async function upload(name: string, bytes: Uint8Array<ArrayBuffer>, type: string, query = '') {
  const response = await fetch(`http://127.0.0.1:${site.port}/cms-json/cms/v2/media${query}`, {
    method: 'POST',
    headers: {
      authorization: site.authorization('author'),
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
    },
    body: bytes,
  });
  const body = (await response.json()) as { id: number; link: string; source_url: string; code?: string };
  if (response.status !== 201) throw new Error(body.code);
  return body;
}

async function picture(width: number, height: number, name = `${width}x${height}.png`, query = '') {
  const image = sharp({ create: { width, height, channels: 3, background: 'teal' } });
  return upload(name, new Uint8Array(await image.png().toBuffer()), 'image/png', query);
}

const post = (fields: object) => site.make('author', '/posts', { content: 'c', status: 'publish', ...fields });
const describeIt = (url: string, maxwidth = 600) =>
  site.call('anonymous', `GET /cms-json/oembed/1.0/embed?url=${encodeURIComponent(url)}&maxwidth=${maxwidth}`);
const visit = (address: string) =>
  fetch(`http://127.0.0.1:${site.port}${address.startsWith(SITE) ? address.slice(SITE.length) : address}`, {
    redirect: 'manual',
  });

describe('a featured image', () => {
  it.each([
    // The smallest file of the same shape that is wide enough, scaled to the width of the description.
    [600, 1600, 1200, '768x576', 600, 450],
    [300, 1600, 1200, '300x225', 300, 225],
    [200, 1600, 1200, '300x225', 200, 150],
    // Only the original is wide enough; it is never enlarged.
    [600, 400, 200, '', 400, 200],
  ])(
    'is the thumbnail of a description of width %d: for an image of %d × %d the file %s',
    async (maxwidth, width, height, file, ...shown) => {
      const name = `f${maxwidth}-${width}.png`;
      const image = await picture(width, height, name);
      const title = `Featuring ${maxwidth} ${width}`;
      await post({ title, featured_media: image.id });
      const { body } = await describeIt(`${SITE}/featuring-${maxwidth}-${width}/`, maxwidth);
      const url = file === '' ? image.source_url : image.source_url.replace('.png', `-${file}.png`);
      expect([body.thumbnail_url, body.thumbnail_width, body.thumbnail_height]).toEqual([url, ...shown]);
      expect((await visit(body.thumbnail_url)).headers.get('content-type')).toBe('image/png');
    },
  );

  it('that was deleted is no thumbnail', async () => {
    const image = await picture(20, 20, 'gone.png');
    await post({ title: 'Bare', featured_media: image.id });
    await site.call('author', `DELETE /media/${image.id}?force=true`);
    expect((await describeIt(`${SITE}/bare/`)).body).not.toHaveProperty('thumbnail_url');
  });

  it('is the thumbnail in XML as well', async () => {
    const image = await picture(10, 10, 'xml.png');
    await post({ title: 'In XML', featured_media: image.id });
    const response = await visit(`/cms-json/oembed/1.0/embed?format=xml&url=${SITE}/in-xml/`);
    expect(await response.text()).toContain(`<thumbnail_url>${image.source_url}</thumbnail_url><thumbnail_width>10<`);
  });
});

describe('the link of a media item', () => {
  it('leads to a page with the image and its texts', async () => {
    const { id, link, source_url } = await picture(40, 30, 'alone.png');
    await site.call('author', `PUT /media/${id}`, {
      title: 'A <b>picture</b>',
      description: 'Of nothing',
      caption: 'Seen',
    });
    const text = await (await visit(link)).text();
    expect(text).toContain('<h1>A picture</h1>');
    expect(text).toContain(`src="${source_url}"`);
    expect(text).toContain('Of nothing');
    expect(text).toContain('<meta name="description" content="Seen">');
    expect(text).toContain(`href="${SITE}/cms-json/cms/v2/media/${id}"`);
    expect((await visit(`/?attachment_id=${id}`)).headers.get('location')).toBe(link);
    expect(await (await visit(`${link}embed/`)).text()).toContain('<p>Seen</p>');
  });

  it('can be described by oEmbed, with the image as thumbnail', async () => {
    const { link, source_url } = await picture(50, 30, 'described.png');
    expect((await describeIt(link)).body).toMatchObject({ title: 'described', thumbnail_url: source_url });
  });

  it('is below the attached entry, and as public as that', async () => {
    const host = await post({ title: 'Host' });
    const { id, link } = await picture(10, 10, 'guest.png', `?post=${host}`);
    expect(link).toBe(`${SITE}/host/guest/`);
    expect((await visit(link)).status).toBe(200);
    await site.call('author', `PUT /posts/${host}`, { status: 'draft' });
    const statuses = [];
    for (const address of [link, '/guest/', `/?attachment_id=${id}`, `${link}embed/`]) {
      statuses.push((await visit(address)).status);
    }
    expect([...statuses, (await describeIt(link)).status]).toEqual([404, 404, 404, 404, 404]);
  });

  it('leads to a page of its own after its post was deleted', async () => {
    const host = await post({ title: 'Leaving' });
    const { id } = await picture(10, 10, 'left.png', `?post=${host}`);
    await site.call('author', `DELETE /posts/${host}?force=true`);
    const { link } = (await site.call('anonymous', `GET /media/${id}`)).body;
    const response = await visit(link);
    expect([response.status, (await response.text()).includes('<h1>left</h1>')]).toEqual([200, true]);
    expect((await describeIt(link)).status).toBe(200);
  });
});
