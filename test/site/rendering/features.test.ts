import { afterAll, beforeAll, expect, it } from 'vitest';
import { blockTypes } from '#blocks/block-types/all.ts';
import { everyFeature, probed, stylesOf } from '../../../packages/blocks/test/probes.ts';
import { mediaOf } from '../../support/media-site.ts';
import { type Site, startSite } from '../../support/site.ts';

let site: Site;
let post = 0;
beforeAll(async () => {
  site = await startSite();
  const image = await mediaOf(() => site).image();
  await site.call('administrator', 'POST /settings', { description: 'Tagline', site_logo: image });
  await site.call('administrator', 'POST /users/me', { description: 'Of the author' });
  await site.call('administrator', 'POST /categories/1', { description: 'Of the category' });
  await site.make('administrator', '/posts', { title: 'Two', content: '<p>Words</p>', status: 'publish' });
  post = await site.make('administrator', '/posts', {
    ...{ title: 'One', content: '<p>Words</p>', status: 'publish', featured_media: image },
  });
  await site.make('administrator', '/pages', { title: 'Page', status: 'publish' });
  const parent = await site.make('administrator', '/comments', { post, content: 'Said' });
  await site.make('administrator', '/comments', { post, content: 'Answered', parent });
});
afterAll(() => site.close());

/** They need no attributes, or these. */
const needed: Readonly<Record<string, object>> = {
  'core/icon': { icon: 'core/home' },
  'core/navigation-link': { label: 'Label', url: '/a' },
  'core/navigation-submenu': { label: 'Label', url: '/a' },
  'core/post-terms': { term: 'category' },
  'core/social-link': { service: 'feed', url: '/a' },
};
/** They show nothing here, or only what is in them. */
const empty = [
  'block',
  'comments',
  'pattern',
  'post-navigation-link',
  'query-pagination-previous',
  'query-title',
  'template-part',
];
/** The parts of one show more than the table says; the other shows a feed alone. */
const special = ['core/search', 'core/rss'];

const block = (name: string, attributes: object, inside = '') =>
  `<!-- wp:${name} ${JSON.stringify(attributes)} -->${inside}<!-- /wp:${name} -->`;

const inPost = (text: string) =>
  block('query', { query: { perPage: 1, postType: 'post' } }, block('post-template', {}, text));

function around(name: string, text: string): string {
  if (name === 'core/query-no-results') return block('query', { query: { search: 'nothing-has-this' } }, text);
  if (name === 'core/post-template' || name === 'core/query-pagination' || name.includes('query-'))
    return block('query', { query: { perPage: 1, postType: 'post' } }, text);
  if (name === 'core/term-template') return block('terms-query', { termQuery: { taxonomy: 'category' } }, text);
  if (name.startsWith('core/term-'))
    return block('terms-query', { termQuery: { taxonomy: 'category' } }, block('term-template', {}, text));
  if (name === 'core/comment-template' || name === 'core/comments-title') return inPost(block('comments', {}, text));
  if (name.startsWith('core/comment-')) return inPost(block('comments', {}, block('comment-template', {}, text)));
  return inPost(text);
}

const made = [...blockTypes.values()].filter(({ name, markup }) => markup === 'made' && !special.includes(name));

it('every block that the server makes shows the styles that it supports, and no others', async () => {
  const silent: string[] = [];
  for (const { name, features, marks } of made) {
    const short = name.replace('core/', '');
    const inside = ['post-template', 'term-template', 'comment-template', 'query-no-results'].includes(short)
      ? '<!-- wp:paragraph --><p>in it</p><!-- /wp:paragraph -->'
      : short === 'query-pagination'
        ? block('query-pagination-numbers', {}) + block('query-pagination-next', {})
        : '';
    const link = { elements: { link: { color: { text: '#abcdef' } } } };
    const given = { ...needed[name], ...probed(everyFeature) } as { style: object };
    const text = around(name, block(short, { ...given, style: { ...given.style, ...link } }, inside));
    const id = await site.make('administrator', '/posts', { title: 'Shown', content: text, status: 'draft' });
    const html: string = (await site.call('administrator', `GET /posts/${id}`)).body.content.rendered;
    if (!html.includes('"probe"') && !/wp-elements-\d/.test(html)) {
      silent.push(short);
      continue;
    }
    const unsupported = everyFeature.filter((feature) => !features.has(feature));
    const shown = stylesOf(unsupported).filter((style) => html.includes(`${style};`) || html.includes(`${style}"`));
    expect([name, shown]).toEqual([name, []]);
    const hidden = stylesOf(everyFeature.filter((feature) => features.has(feature))).filter(
      (style) => !html.includes(style),
    );
    expect([name, hidden]).toEqual([name, name === 'core/navigation' ? ['text-decoration:overline'] : []]);
    for (const classes of html.match(/class="[^"]*"/g) ?? []) {
      expect(classes).not.toMatch(/wp-elements-\d.*wp-elements-\d|has-link-color.*has-link-color/);
    }
    expect([name, html.includes('has-link-color')]).toEqual([name, marks.has('link')]);
  }
  expect(silent.sort()).toEqual(empty);
});
