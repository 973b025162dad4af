import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../../support/site.ts';
import { uploadBody } from '../../support/uploads.ts';

let site: Site;
let image: { id: number; source_url: string; media_details: { sizes: Record<string, { source_url: string }> } };
beforeAll(async () => {
  site = await startSite();
  const picture = sharp({ create: { width: 900, height: 600, channels: 3, background: 'red' } });
  const file = { name: 'red.jpg', type: 'image/jpeg', bytes: await picture.jpeg().toBuffer() };
  image = (await uploadBody(site, 'author', file)).body;
});
afterAll(() => site.close());

const block = (tag: string) => `<!-- wp:image -->\n<figure class="wp-block-image">${tag}</figure>\n<!-- /wp:image -->`;
const tagIn = (html: string) => /<img[^>]*>/.exec(html)?.[0];
const file = (size: string) => image.media_details.sizes[size]?.source_url;

async function shown(tag: string): Promise<string | undefined> {
  const id = await site.make('editor', '/posts', { title: 'x', content: block(tag), status: 'publish' });
  const { body } = await site.call('anonymous', `GET /posts/${id}`);
  return tagIn(body.content.rendered);
}

describe('an image in a text', () => {
  it('has the dimensions of its file, and the other files for browsers to choose from', async () => {
    const set = `${image.source_url} 900w, ${file('medium')} 300w, ${file('medium_large')} 768w`;
    expect(await shown(`<img src="${image.source_url}" alt="" class="wp-image-${image.id}"/>`)).toBe(
      `<img loading="lazy" decoding="async" width="900" height="600" src="${image.source_url}" alt="" class="wp-image-${image.id}" srcset="${set}" sizes="auto, (max-width: 900px) 100vw, 900px" />`,
    );
  });

  it('has those of the size that it names, or that are written', async () => {
    const medium = await shown(`<img src="${file('medium')}" alt="" class="size-medium wp-image-${image.id}"/>`);
    expect(medium).toContain(' width="300" height="200" ');
    expect(medium).toContain(`srcset="${file('medium')} 300w, `);
    const written = await shown(
      `<img src="${image.source_url}" alt="" width="450" height="300" class="wp-image-${image.id}"/>`,
    );
    expect(written).toContain('sizes="auto, (max-width: 450px) 100vw, 450px"');
    const styled = await shown(
      `<img class="wp-image-${image.id}" style="width: 90px;" src="${image.source_url}" alt=""/>`,
    );
    expect(styled).toContain(' width="90" height="60" ');
  });

  it('stays as it is if it names no file of the item, or an item that is not there or not public', async () => {
    const other = `<img decoding="async" src="https://elsewhere.example/red.jpg" alt="" class="wp-image-${image.id}"/>`;
    expect(await shown(other.replace(' decoding="async"', ''))).toBe(other);
    expect(await shown('<img src="http://site.example/uploads/a.jpg" alt="" class="wp-image-9999"/>')).not.toContain(
      'width',
    );
  });

  it('loses them with the item, now and not as of then', async () => {
    const picture = sharp({ create: { width: 400, height: 400, channels: 3, background: 'blue' } });
    const { body: media } = await uploadBody(site, 'author', {
      name: 'blue.png',
      type: 'image/png',
      bytes: await picture.png().toBuffer(),
    });
    const content = block(`<img src="${media.source_url}" alt="" class="wp-image-${media.id}"/>`);
    const id = await site.make('author', '/posts', { title: 'x', content, status: 'publish' });
    const list = async (more = '') => {
      const { body } = await site.call('administrator', `GET /posts?include=${id}${more}`);
      return tagIn(body[0].content.rendered);
    };
    const before = site.position();
    expect(await list()).toContain('srcset=');
    await site.call('administrator', `DELETE /media/${media.id}?force=true`);
    expect(await list()).not.toContain('srcset=');
    expect(await list(`&as_of=${before}`)).toContain('srcset=');
  });
});
