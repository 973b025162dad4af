import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blockTypes } from '#blocks/block-types/all.ts';
import type { BlockType } from '#blocks/block-types/block-type.ts';
import { stylesId } from '#site/design.ts';
import { shortcodeRenderers } from '#site/rendering/shortcodes/all.ts';
import { mediaOf } from '../../support/media-site.ts';
import { type As, SITE, type Site, startSite } from '../../support/site.ts';
import { fetchFile } from '../../support/uploads.ts';

/** Members that every object of the language has: a table that is not asked for its own members alone answers them. */
const names = ['constructor', '__proto__', 'toString', 'valueOf', 'hasOwnProperty'];

const members = [
  ...['orderBy', 'order', 'postType', 'taxonomy', 'type', 'sticky', 'format', 'author', 'search', 'slug', 'style'],
  ...['perPage', 'offset', 'pages', 'parents', 'include', 'exclude', 'termId', 'key', 'source', 'url', 'ref'],
];

/** Blocks in one text. */
const atOnce = 10;

const blockOf = (type: string, attributes: string, inside: string) =>
  `<!-- wp:${type} ${attributes} -->${inside}<!-- /wp:${type} -->`;
const inQuery = (inside: string) =>
  blockOf('query', '{"query":{"postType":"post","perPage":2}}', blockOf('post-template', '{}', inside));
const inTerms = (inside: string) =>
  blockOf(
    'terms-query',
    '{"termQuery":{"taxonomy":"category","hideEmpty":false}}',
    blockOf('term-template', '{}', inside),
  );

function attributesWith(name: string, { attributes }: BlockType) {
  const nested = Object.fromEntries([...members, name].map((member) => [member, name]));
  const shapeOf = (type: string) => (type === 'object' ? nested : type === 'array' ? [name, nested] : name);
  return JSON.stringify({
    ...nested,
    ...Object.fromEntries(Object.entries(attributes).map(([attribute, { type }]) => [attribute, shapeOf(type)])),
  });
}

describe.each(names)('the word %s', (name) => {
  let site: Site;
  let image = 0;
  beforeAll(async () => {
    site = await startSite();
    await site.make('editor', '/posts', { title: 'One', status: 'publish' });
    await site.make('editor', '/posts', { title: 'Two', status: 'publish' });
    image = await mediaOf(() => site).image();
  });
  afterAll(() => site.close());

  const statuses = async (content: string) => {
    const id = await site.make('editor', '/posts', { title: 'Odd', content, status: 'publish' });
    const asked: readonly [As, string][] = [
      ['anonymous', `/posts/${id}`],
      ['editor', `/posts/${id}?context=edit`],
      ['anonymous', '/posts?orderby=date'],
    ];
    const shown = await Promise.all(asked.map(async ([as, path]) => (await site.call(as, `GET ${path}`)).status));
    const changed = await site.call('editor', `PUT /posts/${id}`, { title: 'Odder' });
    await site.call('editor', `DELETE /posts/${id}?force=true`);
    return [...shown, changed.status];
  };

  it('is harmless in every attribute of every block', async () => {
    const types = [...blockTypes.values()];
    for (let from = 0; from < types.length; from += atOnce) {
      const some = types.slice(from, from + atOnce);
      const blocks = some.map((type) => blockOf(type.name, attributesWith(name, type), '<p>x</p>')).join('\n\n');
      const texts = [blocks, inQuery(blocks), inTerms(blocks)];
      const shown = [some.map((type) => type.name), await statuses(texts.join('\n\n'))];
      expect(shown).toEqual([shown[0], [200, 200, 200, 200]]);
    }
  });

  it('is harmless in every attribute of every shortcode', async () => {
    const attributes = ['order', 'orderby', 'size', 'link', 'type', 'style', 'columns', 'preload', 'itemtag'];
    const given = attributes.map((attribute) => `${attribute}="${name}"`).join(' ');
    const content = Object.keys(shortcodeRenderers).map((word) => `[${word} ids="${image}" ${given}]`);
    expect(await statuses(content.join('\n\n'))).toEqual([200, 200, 200, 200]);
  });

  it('is harmless in the styles of the site', async () => {
    const odd = { [name]: name, color: { text: { [name]: name }, background: name } };
    const styles = { ...odd, elements: { [name]: odd, link: odd }, blocks: { [name]: odd } };
    const palette = [[{ slug: { [name]: name }, color: { [name]: name } }], [{ slug: name, color: name }]];
    const body = JSON.stringify({ styles, settings: { color: { palette } } });
    const { status } = await site.call('administrator', `PUT /global-styles/${stylesId}`, body);
    const page = await fetchFile(site, `${SITE}/`);
    expect([status, page.status]).toEqual([200, 200]);
  });
});
