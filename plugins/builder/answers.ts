import { z } from 'palimpsest/plugin';
import { allRoles, allStatuses } from './vocabulary.ts';

const count = z.int().min(0);
const id = z.int().min(1);
const digest = z.string().regex(/^[\da-f]{64}$/);
const markup = z.string().describe('HTML');
const noneAtAll = z.array(z.unknown()).max(0);

export const roleNames = z.object(Object.fromEntries(allRoles.map((role) => [role, z.string()])));
export const hash = digest;
export const fonts = z.array(z.string());
export const choices = z.array(z.object({ label: z.string(), value: id }));

const term = z.object({
  term_id: id,
  name: z.string(),
  slug: z.string(),
  term_group: z.literal(0),
  term_taxonomy_id: id,
  taxonomy: z.enum(['category', 'post_tag']),
  description: z.string(),
  parent: count,
  count,
  filter: z.literal('raw'),
});
const taxonomy = z.object({ label: z.string(), terms: z.array(term) });
export const termsAnswer = z.object({
  post: z.object({ label: z.string(), taxonomies: z.object({ category: taxonomy, post_tag: taxonomy }) }),
  page: z.object({ label: z.string(), taxonomies: noneAtAll }),
});

const time = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const openness = z.enum(['open', 'closed']);
/** Address, width, height, and whether it is one of the smaller sizes; `''`: there is no such image. */
const picture = z.union([z.tuple([z.url(), z.int(), z.int(), z.boolean()]), z.literal('')]);
const post = z.object({
  ID: id,
  post_author: z.string().regex(/^\d+$/),
  post_date: time,
  post_date_gmt: time,
  post_content: z.string(),
  post_title: z.string(),
  post_excerpt: z.string(),
  post_status: z.enum(allStatuses),
  comment_status: openness,
  ping_status: openness,
  post_name: z.string(),
  post_modified: time,
  post_modified_gmt: time,
  post_parent: count,
  guid: z.string(),
  menu_order: z.int(),
  post_type: z.enum(['post', 'page', 'product']),
  post_mime_type: z.literal(''),
  comment_count: z.string().regex(/^\d+$/),
  post_excerpt_builder: z.string(),
  comments_num: z.string(),
  author_info: z.object({ name: z.string(), url: z.string() }),
  category_list: markup,
  featured_image_urls: z.object({ full: picture, thumbnail: picture, medium: picture, large: picture }),
});
export const builderPosts = z.array(post);
export const more = markup;

const option = z.object({ value: z.union([z.string(), z.int()]), label: z.string() });
export const builderOptions = z.union([z.array(option).min(1), z.literal('')]);
const noField = z.object({ label: z.literal('None'), value: z.literal(0), field: z.literal('none') });
const fieldName = z.enum(['description', 'slug', 'count']);
const fieldType = z.enum(['textarea', 'text', 'number']);
const termField = z.object({ label: z.string(), value: z.tuple([id, fieldName, fieldType]) });
export const engine = z.union([
  z.object({ isEngineField: z.literal(false) }),
  z.object({ isEngineField: z.literal(true), terms: z.tuple([noField]).rest(termField) }),
]);
export const builderAttributes = z.array(z.object({ label: z.string(), value: z.string() }));

export const builderContent = z.union([markup, z.object({ error: z.string() })]);
const field = z.object({
  title: z.string(),
  group: z.string(),
  type: z.enum(['link', 'image-url']).optional(),
  data: z.object({ custom_field_type: z.literal('meta') }).optional(),
});
export const fields = z.union([z.record(z.string(), field), noneAtAll]);
const titled = z.object({ title: z.string() });
const searched = titled.extend({
  with_input_box: z.literal(true),
  with_search: z.literal(true),
  input_label: z.string(),
  input_placeholder: z.string(),
});
export const builderSources = z.object({
  'current-page': titled,
  site: titled,
  'other-posts': searched,
  'latest-post': searched,
});
export const found = z.union([
  z.record(z.string(), z.union([z.string(), z.object({ title: z.string(), group: z.string() })])),
  noneAtAll,
]);
export const label = z.string();

export const icons = z.array(z.object({ name: z.string(), key: z.string(), icon: z.string().describe('SVG') }));
