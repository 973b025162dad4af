import { openShop } from '../support/shop.ts';
import { pngOf } from '../support/uploads.ts';
import { resourceContract } from './resource.contract.ts';

const words = (text: string) => text.split(' ');

const entryView =
  'id date date_gmt guid modified modified_gmt slug status type link title content excerpt author featured_media comment_status ping_status template meta class_list';
const entryEmbed = 'id date slug type link title excerpt author featured_media';
const entryEdit = `${entryView} password permalink_template generated_slug`;
const ofPosts = 'sticky format categories tags';
const ofPages = 'parent menu_order';

const entry = {
  keeper: 'editor',
  stranger: 'subscriber',
  make: (mark: string) => ({ title: `Entry ${mark}`, content: 'Text', status: 'publish' }),
  change: { body: { content: 'Changed' }, shown: { content: { raw: 'Changed' } } },
  unknown: 'rest_post_invalid_id',
} as const;

resourceContract('posts', {
  ...entry,
  path: '/posts',
  fields: { view: words(`${entryView} ${ofPosts}`), embed: words(entryEmbed), edit: words(`${entryEdit} ${ofPosts}`) },
});

resourceContract('pages', {
  ...entry,
  path: '/pages',
  fields: { view: words(`${entryView} ${ofPages}`), embed: words(entryEmbed), edit: words(`${entryEdit} ${ofPages}`) },
});

resourceContract('products', {
  ...entry,
  path: '/products',
  prepare: openShop,
  fields: {
    view: words(`${entryView} categories tags`),
    embed: words(entryEmbed),
    edit: words(`${entryEdit} categories tags`),
  },
});

const term = {
  keeper: 'editor',
  stranger: 'subscriber',
  make: (mark: string) => ({ name: `Term ${mark}` }),
  change: { body: { description: 'Changed' }, shown: { description: 'Changed' } },
  unknown: 'rest_term_invalid',
} as const;
const termView = 'id count description link name slug taxonomy meta';
const termEmbed = 'id link name slug taxonomy';

resourceContract('categories', {
  ...term,
  path: '/categories',
  fields: { view: words(`${termView} parent`), embed: words(termEmbed), edit: words(`${termView} parent`) },
});

resourceContract('tags', {
  ...term,
  path: '/tags',
  fields: { view: words(termView), embed: words(termEmbed), edit: words(termView) },
});

const mediaEmbed = `id date slug type link title author featured_media caption alt_text media_type mime_type media_details source_url`;
const mediaView = `${mediaEmbed} date_gmt guid modified modified_gmt status comment_status ping_status template meta class_list description post filename filesize`;
const mediaEdit = `${mediaView} permalink_template generated_slug missing_image_sizes exif_orientation image_output_format image_save_progressive image_quality`;

resourceContract('media', {
  path: '/media',
  keeper: 'editor',
  stranger: 'subscriber',
  make: () => pngOf(2, 1),
  headers: (mark) => ({
    'content-type': 'image/png',
    'content-disposition': `attachment; filename="${mark}.png"`,
    connection: 'close',
  }),
  change: { body: { caption: 'Changed' }, shown: { caption: { raw: 'Changed' } } },
  unknown: 'rest_post_invalid_id',
  fields: { view: words(mediaView), embed: words(mediaEmbed), edit: words(mediaEdit) },
});
