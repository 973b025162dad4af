import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const coloured =
  '<!-- wp:paragraph {"style":{"elements":{"link":{"color":{"text":"#123456"}}}},"metadata":{"name":"Intro"}} -->';
const content = `<!-- wp:columns -->
<div class="wp-block-columns"><!-- wp:column -->
<div class="wp-block-column">${coloured}
<p>The "sea" <a href="/">now</a></p>
<!-- /wp:paragraph --></div>
<!-- /wp:column --></div>
<!-- /wp:columns -->

<!-- wp:image {"id":3,"sizeSlug":"large"} -->
<figure class="wp-block-image size-large"><img src="a.jpg" alt="A boat"/><figcaption>A <em>boat</em></figcaption></figure>
<!-- /wp:image -->

<!-- wp:latest-posts {"postsToShow":1} /-->`;

async function made(more: object = {}): Promise<number> {
  return site.make('administrator', '/posts', { title: 'Sea', content, status: 'publish', ...more });
}

const get = async (path: string, as: 'anonymous' | 'administrator' = 'anonymous') =>
  (await site.call(as, `GET ${path}`)).body;

describe('the blocks of a content', () => {
  it('are data for those who name them: attributes of the block, of its markup and of its type, and what it shows', async () => {
    const id = await made();
    const { blocks, content: text } = await get(`/posts/${id}?_fields=blocks,content.rendered`);
    expect(blocks.map(({ name }: { name: string }) => name)).toEqual([
      'core/columns',
      'core/image',
      'core/latest-posts',
    ]);
    const [columns, image, latest] = blocks;
    const paragraph = columns.innerBlocks[0].innerBlocks[0];
    expect(paragraph.attributes).toMatchObject({ content: 'The "sea" <a href="/">now</a>', dropCap: false });
    expect(paragraph.rendered).toContain('&#8220;sea&#8221;');
    expect(image.attributes).toMatchObject({
      ...{ id: 3, url: 'a.jpg', alt: 'A boat', caption: 'A <em>boat</em>' },
    });
    expect(latest.attributes).toMatchObject({ postsToShow: 1, order: 'desc' });
    expect(latest.rendered).toContain('Sea');
    const compact = (html: string) => html.replace(/\s/g, '');
    expect(compact(blocks.map(({ rendered }: { rendered: string }) => rendered).join(''))).toBe(compact(text.rendered));
  });

  it('are in no other answer', async () => {
    const id = await made();
    expect(await get(`/posts/${id}`)).not.toHaveProperty('blocks');
    expect(await get(`/posts/${id}?context=edit`, 'administrator')).not.toHaveProperty('blocks');
    expect((await get(`/posts/${id}?_fields=content`)).content).not.toHaveProperty('styles');
  });

  it('have what is for editors in context edit alone', async () => {
    const id = await made();
    const metadata = async (query: string, as: 'anonymous' | 'administrator') =>
      (await get(`/posts/${id}?_fields=blocks${query}`, as)).blocks[0].innerBlocks[0].innerBlocks[0].attributes
        .metadata;
    expect(await metadata('', 'anonymous')).toBeUndefined();
    expect(await metadata('&context=edit', 'administrator')).toEqual({ name: 'Intro' });
  });

  it('are shown in lists, of the past, and of protected contents only with the password', async () => {
    const id = await made({ password: 'open' });
    const then = await site.position();
    expect((await get(`/posts/${id}?_fields=blocks`)).blocks).toEqual([]);
    expect((await get(`/posts/${id}?_fields=blocks&password=open`)).blocks).toHaveLength(3);
    expect((await get(`/posts?include=${id}&_fields=id,blocks&password=open`))[0].blocks).toHaveLength(3);
    await site.call('administrator', `PATCH /posts/${id}`, { content: 'Plain' });
    const past = await get(`/posts/${id}?_fields=blocks&as_of=${then}&context=edit`, 'administrator');
    expect(past.blocks).toHaveLength(3);
    const now = await get(`/posts/${id}?_fields=blocks&context=edit`, 'administrator');
    expect(now.blocks).toEqual([{ name: null, attributes: {}, innerBlocks: [], rendered: '<p>Plain</p>\n' }]);
  });

  it('do not fail for texts that are made to be hard to read', async () => {
    const deep = `<!-- wp:table -->${'<table><tbody><tr><td>'.repeat(20_000)}<!-- /wp:table -->`;
    const nested = `${'<!-- wp:group --><div>'.repeat(2000)}a`;
    for (const text of [deep, nested]) {
      const id = await site.make('administrator', '/posts', { title: 'Deep', content: text, status: 'publish' });
      const { status, body } = await site.call('anonymous', `GET /posts/${id}?_fields=blocks,content.styles`);
      expect(status).toBe(200);
      expect(body.blocks).toHaveLength(1);
    }
  });
});

describe('the styles of a content', () => {
  it('are rules for the classes in it, whose names are the same in every answer and of this text alone', async () => {
    const [one, other] = [await made(), await made()];
    const { content: text } = await get(`/posts/${one}?_fields=content.rendered,content.styles`);
    const elements = /wp-elements-\d+/.exec(text.rendered)?.[0] ?? '';
    const container = /wp-container-[\w-]+/.exec(text.rendered)?.[0] ?? '';
    expect(text.styles).toContain(`.${elements} a:where(:not(.wp-element-button)){color:#123456}`);
    expect(text.styles).toContain(`.${container}{flex-wrap:nowrap}`);
    expect(text.styles.length).toBeLessThan(2000);
    const list = await get(`/posts?include=${one},${other}&orderby=include&_fields=content.rendered,content.styles`);
    expect(list[0].content).toEqual(text);
    expect(list[1].content.rendered).toContain('wp-elements-');
    expect(list[1].content.rendered).not.toContain(elements);
  });

  it('have the presets that the text names, those of the site before the usual ones', async () => {
    const named =
      '<!-- wp:paragraph {"textColor":"sea","backgroundColor":"black"} --><p class="has-sea-color has-black-background-color">a</p><!-- /wp:paragraph -->';
    const id = await site.make('administrator', '/posts', { title: 'Colour', content: named, status: 'publish' });
    const styles = async () => (await get(`/posts/${id}?_fields=content.styles`)).content.styles;
    expect(await styles()).toContain('--wp--preset--color--black: #000');
    expect(await styles()).not.toContain('color--sea:');
    await site.call('administrator', 'POST /global-styles/1', {
      settings: { color: { palette: { custom: [{ slug: 'sea', name: 'Sea', color: '#0a5' }] } } },
      styles: {
        blocks: { 'core/paragraph': { spacing: { margin: '3px' } }, 'core/quote': { color: { text: 'red' } } },
      },
    });
    expect(await styles()).toContain('.has-sea-color { color: var(--wp--preset--color--sea) !important; }');
    expect(await styles()).toContain('p { margin: 3px; }');
    expect(await styles()).not.toContain('red');
    const sheet = await fetch(`http://127.0.0.1:${site.port}/cms-json/cms/v2/stylesheet`);
    expect(sheet.headers.get('content-type')).toBe('text/css; charset=UTF-8');
    const body = await sheet.text();
    expect(body).toContain('--wp--preset--color--sea: #0a5');
    expect(body).toContain('.wp-block-cover');
    expect(body).toContain('.wp-element-button {');
  });

  it('are on the page of the item', async () => {
    const id = await made();
    const { slug } = await get(`/posts/${id}?_fields=slug`);
    const page = await (await fetch(`http://127.0.0.1:${site.port}/${slug}/`)).text();
    const container = /class="[^"]*(wp-container-core-columns[\w-]+)/.exec(page)?.[1] ?? 'none';
    expect(page).toContain(`.${container}{flex-wrap:nowrap}`);
    const elements = /class="[^"]*(wp-elements-\d+)/.exec(page)?.[1] ?? 'none';
    expect(page).toContain(`.${elements} a:where(:not(.wp-element-button)){color:#123456}`);
  });
});
