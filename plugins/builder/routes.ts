import { type PluginRoute, z } from 'palimpsest/plugin';
import * as answers from './answers.ts';
import {
  anyId,
  entityId,
  listFields,
  listSources,
  searchEntities,
  searchTerm,
  showEntity,
  source,
} from './dynamic/choices.ts';
import { fieldData, showContent } from './dynamic/content.ts';
import { getRoute, paramsOf, postRoute } from './fields.ts';
import {
  icon,
  iconKey,
  iconName,
  listIcons,
  newIndex,
  oldIndex,
  removeIcon,
  showIcon,
  shownKey,
  sortIcon,
  svgType,
  updateIcon,
} from './icons.ts';
import { customPhp, generateHash, listBuilderTerms, listFonts, listRoles, listShopProducts } from './lists.ts';
import { loadMore, pageNumber, queryId, wantedCount } from './load-more.ts';
import { listAttributes, listEngine, listFieldset } from './lookups.ts';
import { listPosts } from './posts.ts';
import { postsFields } from './posts-query.ts';

export const builderRoutes: readonly PluginRoute[] = [
  { ...getRoute('get_roles', 'List the roles'), answers: answers.roleNames, query: listRoles },
  {
    ...postRoute('generate_hash', 'Sign a text, and share the design that it names'),
    args: paramsOf(customPhp),
    answers: answers.hash,
    command: generateHash,
  },
  { ...getRoute('get_shop_products', 'List the products'), answers: answers.choices, query: listShopProducts },
  { ...getRoute('get_theme_fonts', 'List the fonts of the theme'), answers: answers.fonts, query: listFonts },
  { ...getRoute('terms', 'List the terms that are in use'), answers: answers.termsAnswer, query: listBuilderTerms },
  {
    ...getRoute('get_posts', 'List posts for blocks'),
    args: paramsOf(...postsFields),
    answers: answers.builderPosts,
    query: listPosts,
  },
  {
    ...getRoute('load-more', 'Render the next posts of a block', 'public'),
    args: paramsOf(queryId, pageNumber, wantedCount),
    answers: answers.more,
    query: loadMore,
  },
  {
    ...getRoute(
      'metabox/fieldset_text/(?P<meta_key>[\\S]+)/(?P<post_id>[\\d]+)/(?P<source>[\\S]+)',
      'List the values of a field',
      'editOthers',
    ),
    answers: answers.builderOptions,
    query: listFieldset,
  },
  {
    ...getRoute('engine/(?P<taxonomy>[\\S]+)/(?P<post_id>[\\d]+)', 'List fields of the terms of a post', 'editOthers'),
    answers: answers.engine,
    query: listEngine,
  },
  {
    ...getRoute('shop/(?P<post_id>[\\d]+)', 'List the attributes of a product', 'editOthers'),
    answers: answers.builderAttributes,
    query: listAttributes,
  },
  {
    ...postRoute('content', 'Show the value of a field'),
    args: paramsOf(fieldData),
    answers: answers.builderContent,
    query: showContent,
  },
  {
    ...postRoute('fields', 'List the fields of a source'),
    args: paramsOf(source, anyId),
    answers: answers.fields,
    query: listFields,
  },
  { ...postRoute('sources', 'List the sources of content'), answers: answers.builderSources, query: listSources },
  {
    ...postRoute('search', 'Search in a source'),
    args: paramsOf(searchTerm, source),
    answers: answers.found,
    query: searchEntities,
  },
  {
    ...postRoute('entity', 'Show the name of an item in a source'),
    args: paramsOf(entityId, source),
    answers: answers.label,
    query: showEntity,
  },
  { ...getRoute('get_icon_library', 'List the icons'), answers: answers.icons, query: listIcons },
  {
    ...postRoute('update_icon_library', 'Add or replace an icon'),
    args: paramsOf(iconName, iconKey, icon),
    answers: answers.icons,
    command: updateIcon,
  },
  {
    ...postRoute('delete_from_icon_library', 'Remove an icon'),
    args: paramsOf(iconKey),
    answers: answers.icons,
    command: removeIcon,
  },
  {
    ...postRoute('sort_icon_library', 'Move an icon'),
    args: paramsOf(oldIndex, newIndex),
    answers: answers.icons,
    command: sortIcon,
  },
  {
    ...getRoute('icons/(?P<key>[\\w-]+)', 'Show an icon as an image', 'public'),
    args: { key: shownKey },
    answers: z.string().describe('SVG'),
    types: [svgType],
    unlisted: true,
    query: showIcon,
  },
];
