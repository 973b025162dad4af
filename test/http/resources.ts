import { pngOf } from '../support/uploads.ts';
import type { Resource } from './resource.contract.ts';

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
  trash: true,
} as const;

const bareView = 'id date date_gmt guid modified modified_gmt slug status type link title content template';
const bareEmbed = 'id date slug type link title';
const ofPatterns = 'excerpt meta wp_pattern_category wp_pattern_sync_status';

const entries: readonly Resource[] = [
  {
    ...entry,
    path: '/posts',
    fields: {
      view: words(`${entryView} ${ofPosts}`),
      embed: words(entryEmbed),
      edit: words(`${entryEdit} ${ofPosts}`),
    },
  },
  {
    ...entry,
    path: '/pages',
    fields: {
      view: words(`${entryView} ${ofPages}`),
      embed: words(entryEmbed),
      edit: words(`${entryEdit} ${ofPages}`),
    },
  },
  {
    ...entry,
    path: '/products',
    fields: {
      view: words(`${entryView} categories tags`),
      embed: words(entryEmbed),
      edit: words(`${entryEdit} categories tags`),
    },
  },
  {
    ...entry,
    path: '/blocks',
    fields: {
      view: words(`${bareView} ${ofPatterns}`),
      embed: words(`${bareEmbed} excerpt wp_pattern_sync_status`),
      edit: words(`${bareView} password ${ofPatterns}`),
    },
    differs: { reader: { is: 'contributor', section: 27 } },
  },
  {
    ...entry,
    path: '/navigation',
    keeper: 'administrator',
    fields: {
      view: words(bareView),
      embed: words(`${bareEmbed} status content`),
      edit: words(`${bareView} password`),
    },
  },
];

const term = {
  keeper: 'editor',
  stranger: 'subscriber',
  make: (mark: string) => ({ name: `Term ${mark}` }),
  change: { body: { description: 'Changed' }, shown: { description: 'Changed' } },
  unknown: 'rest_term_invalid',
  trash: false,
} as const;
const termView = 'id count description link name slug taxonomy meta';
const termEmbed = 'id link name slug taxonomy';
const flat = { view: words(termView), embed: words(termEmbed), edit: words(termView) };
const menuView = 'id description name slug meta locations auto_add';

const terms: readonly Resource[] = [
  {
    ...term,
    path: '/categories',
    fields: { view: words(`${termView} parent`), embed: words(termEmbed), edit: words(`${termView} parent`) },
  },
  { ...term, path: '/tags', fields: flat },
  { ...term, path: '/wp_pattern_category', fields: flat },
  {
    ...term,
    path: '/menus',
    keeper: 'administrator',
    fields: { view: words(menuView), embed: words('id name slug'), edit: words(menuView) },
    differs: { reader: { is: 'contributor', section: 29 } },
  },
];

const menuItemEmbed =
  'id title status url attr_title description type type_label object object_id parent menu_order target classes xfn invalid';

const menuItems: Resource = {
  path: '/menu-items',
  keeper: 'administrator',
  stranger: 'subscriber',
  given: async (site) => ({ menus: await site.make('administrator', '/menus', { name: 'Menu of items' }) }),
  make: (mark) => ({ title: `Item ${mark}`, url: 'https://other.example/', status: 'publish' }),
  change: { body: { description: 'Changed' }, shown: { description: 'Changed' } },
  unknown: 'rest_post_invalid_id',
  trash: false,
  fields: {
    view: words(`${menuItemEmbed} menus meta`),
    embed: words(menuItemEmbed),
    edit: words(`${menuItemEmbed} menus meta`),
  },
  differs: { reader: { is: 'contributor', section: 30 } },
};

const mediaEmbed =
  'id date slug type link title author featured_media caption alt_text media_type mime_type media_details source_url';
const mediaView = `${mediaEmbed} date_gmt guid modified modified_gmt status comment_status ping_status template meta class_list description post filename filesize`;
const mediaEdit = `${mediaView} permalink_template generated_slug missing_image_sizes exif_orientation image_output_format image_save_progressive image_quality`;

const media: Resource = {
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
  trash: false,
  fields: { view: words(mediaView), embed: words(mediaEmbed), edit: words(mediaEdit) },
};

const commentEmbed = 'id parent author author_name author_url date content link type author_avatar_urls';
const commentView = `${commentEmbed} post date_gmt status meta`;

const comments: Resource = {
  path: '/comments',
  keeper: 'editor',
  stranger: 'subscriber',
  given: async (site) => ({ post: await site.make('editor', '/posts', { title: 'Discussed', status: 'publish' }) }),
  make: (mark) => ({ content: `Comment ${mark}` }),
  change: { body: { content: 'Changed' }, shown: { content: { raw: 'Changed' } } },
  unknown: 'rest_comment_invalid_id',
  trash: true,
  fields: {
    view: words(commentView),
    embed: words(commentEmbed),
    edit: words(`${commentView} author_email author_ip author_user_agent`),
  },
  differs: { openToAll: { is: true, section: 35 } },
};

const userEmbed = 'id name url description link slug avatar_urls';
const ofAccounts =
  'username first_name last_name email locale nickname roles registered_date capabilities extra_capabilities';

const users: Resource = {
  path: '/users',
  keeper: 'administrator',
  stranger: 'subscriber',
  make: (mark) => ({
    username: `user ${mark}`,
    email: `${mark.replaceAll(' ', '-')}@example.org`,
    password: 'a long password',
  }),
  change: { body: { description: 'Changed' }, shown: { description: 'Changed' } },
  unknown: 'rest_user_invalid_id',
  trash: false,
  fields: {
    view: words(`${userEmbed} meta`),
    embed: words(userEmbed),
    edit: words(`${userEmbed} meta ${ofAccounts}`),
  },
  differs: {
    reader: { is: 'administrator', section: 33 },
    deletion: { is: '&reassign=1', section: 33 },
    unshown: { is: ['password'], section: 33 },
    noPast: { is: 'rest_no_past', section: 33 },
  },
};

const templateEmbed =
  'id theme content slug source origin type description title status wp_id has_theme_file author author_text original_source';

const template = {
  keeper: 'administrator',
  stranger: 'subscriber',
  make: (mark: string) => ({ slug: mark.replaceAll(' ', '-'), title: `Template ${mark}`, content: 'Text' }),
  change: { body: { description: 'Changed' }, shown: { description: 'Changed' } },
  unknown: 'rest_template_not_found',
  trash: true,
  differs: {
    reader: { is: 'contributor', section: 37 },
    pattern: { is: '[^:<>\\*\\?"\\|]+\\/[\\w%-]+', section: 37 },
    unknownId: { is: 'plain//unknown', section: 37 },
    editRefusal: { is: 'rest_cannot_manage_templates', section: 37 },
    inTrash: { is: { id: (id: unknown) => `${id}__trashed`, code: 'rest_template_already_trashed' }, section: 37 },
    unpaged: { is: true, section: 37 },
  },
} as const;

const templateFields = (own: string) => ({
  view: words(`${templateEmbed} ${own} modified date`),
  embed: words(`${templateEmbed} ${own}`),
  edit: words(`${templateEmbed} ${own} modified date`),
});

/** All resources whose items clients create, change and delete. */
export const resources: readonly Resource[] = [
  ...entries,
  ...terms,
  menuItems,
  media,
  comments,
  users,
  { ...template, path: '/templates', fields: templateFields('is_custom') },
  { ...template, path: '/template-parts', fields: templateFields('area') },
];
