import fc from 'fast-check';
import { serverBlocks } from '#blocks/server-blocks.ts';
import { type Site, startSite } from '../support/site.ts';

export interface FuzzedText {
  readonly content: string;
  readonly status: number;
  readonly path: string;
  /** Characters of the answer. */
  readonly length: number;
  /** Milliseconds of processor time, all threads. */
  readonly busy: number;
}

/** Milliseconds of processor time, with what the client and the collector take, in which every answer is made. */
export const mostBusy = 4000;
export const mostCharacters = 24_000_000;
const longest = 1_048_576;

const attributes = fc.oneof(
  fc.constant({}),
  fc.constant({ displayPostContent: true, displayPostContentRadio: 'full_post', postsToShow: 100 }),
  fc.constant({ displayPostContent: true, postsToShow: 100 }),
  fc.record({
    query: fc.record({ perPage: fc.constant(100), offset: fc.nat(9), search: fc.constantFrom('', 'post') }),
  }),
  fc.record({ ref: fc.nat(40), type: fc.constantFrom('daily', 'weekly'), displayAsDropdown: fc.boolean() }),
  fc.record({ termQuery: fc.record({ taxonomy: fc.constantFrom('category', 'post_tag'), perPage: fc.constant(100) }) }),
);
const names = fc.constantFrom(
  ...serverBlocks,
  'core/query',
  'core/terms-query',
  'core/group',
  'core/gallery',
  'core/image',
);
const shortcode = fc.constantFrom(
  '[gallery ids="1,2,3"]',
  '[playlist]',
  '[audio src="/a.mp3"]',
  '\nhttp://site.example/?p=1\n',
);

interface Shape {
  /** Attributes that differ each time have a number. */
  readonly make: (n: number) => string;
}

const { shape } = fc.letrec<{ shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 4 },
    shortcode.map((text) => ({ make: () => text })),
    fc
      .record({
        name: names,
        attributes,
        differs: fc.boolean(),
        inner: fc.array(tie('shape'), { maxLength: 3 }),
        deep: fc.constantFrom(1, 1, 1, 6, 5000),
      })
      .map(({ name, attributes: own, differs, inner, deep }) => ({
        make: (n: number) => {
          const open = `<!-- wp:${name.replace('core/', '')} ${JSON.stringify(differs ? { ...own, n } : own)} -->`;
          const close = `<!-- /wp:${name.replace('core/', '')} -->`;
          return open.repeat(deep) + inner.map(({ make }) => make(n)).join('') + close.repeat(deep);
        },
      })),
  ),
}));

/** Texts of up to a mebibyte, of combinations of blocks, each repeated. */
export const heavyText = fc
  .record({ shapes: fc.array(shape, { minLength: 1, maxLength: 4 }), times: fc.constantFrom(1, 50, 1000, 20_000) })
  .map(({ shapes, times }) => {
    let text = '';
    for (let n = 0; n < times && text.length < longest; n++) text += shapes.map(({ make }) => make(n)).join('\n');
    return text;
  });

/** Saves texts and reads them in every way, on a site that has other heavy texts. */
export async function fuzzTexts(
  { count, seed }: { readonly count: number; readonly seed: number },
  look: (made: FuzzedText) => void,
) {
  const site = await startSite({ env: { TEXT_LIMIT: '10485760' } });
  try {
    await furnish(site);
    for (const content of fc.sample(heavyText, { numRuns: count, seed })) await tryText(site, content, look);
  } finally {
    await site.close();
  }
}

async function furnish(site: Site): Promise<void> {
  const image = '<!-- wp:image --><figure class="wp-block-image"><img src="/a.jpg" alt=""/></figure><!-- /wp:image -->';
  const gallery = `<!-- wp:gallery --><figure class="wp-block-gallery">${image.repeat(5000)}</figure><!-- /wp:gallery -->`;
  for (let n = 0; n < 120; n++) {
    await site.make('editor', '/posts', {
      title: `Post ${n}`,
      content: n === 0 ? gallery : '<p>post</p>',
      status: 'publish',
    });
  }
  await site.make('editor', '/blocks', { title: 'Pattern', content: gallery, status: 'publish' });
}

async function tryText(site: Site, content: string, look: (made: FuzzedText) => void): Promise<void> {
  const measured = async (path: string, body?: object) => {
    const before = process.cpuUsage();
    const { status, text } = await site.call('editor', path, body);
    const { user, system } = process.cpuUsage(before);
    look({ content, path, status, length: text.length, busy: (user + system) / 1000 });
    return text;
  };
  const { id } = JSON.parse(await measured('POST /posts', { title: 'Heavy', content, status: 'publish' }));
  for (const path of [`/posts/${id}`, `/posts/${id}?_embed`, '/posts?per_page=3']) await measured(`GET ${path}`);
  await site.call('editor', `DELETE /posts/${id}?force=true`);
}
