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
import { paramsOf } from './fields.ts';
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

const access = 'editPosts';

const postRows: readonly PluginRoute[] = [
  {
    ...{ method: 'GET', path: 'get_posts', access, summary: 'List posts for blocks' },
    args: paramsOf(...postsFields),
    answers: answers.builderPosts,
    query: listPosts,
  },
  {
    ...{
      method: 'GET',
      path: 'load-more',
      access: 'public',
      summary: 'Render the next posts of a block',
    },
    args: paramsOf(queryId, pageNumber, wantedCount),
    answers: answers.more,
    query: loadMore,
  },
];

const lookupRows: readonly PluginRoute[] = [
  {
    ...{ method: 'GET', access: 'editOthers', summary: 'List the values of a field' },
    path: 'metabox/fieldset_text/(?P<meta_key>[\\S]+)/(?P<post_id>[\\d]+)/(?P<source>[\\S]+)',
    answers: answers.builderOptions,
    query: listFieldset,
  },
  {
    ...{ method: 'GET', access: 'editOthers', summary: 'List fields of the terms of a post' },
    path: 'engine/(?P<taxonomy>[\\S]+)/(?P<post_id>[\\d]+)',
    answers: answers.engine,
    query: listEngine,
  },
  {
    ...{ method: 'GET', path: 'shop/(?P<post_id>[\\d]+)', access: 'editOthers' },
    summary: 'List the attributes of a product',
    answers: answers.builderAttributes,
    query: listAttributes,
  },
];

const contentRows: readonly PluginRoute[] = [
  {
    ...{ method: 'POST', path: 'content', access, summary: 'Show the value of a field' },
    args: paramsOf(fieldData),
    answers: answers.builderContent,
    query: showContent,
  },
  {
    ...{ method: 'POST', path: 'fields', access, summary: 'List the fields of a source' },
    args: paramsOf(source, anyId),
    answers: answers.fields,
    query: listFields,
  },
  {
    method: 'POST',
    path: 'sources',
    access,
    summary: 'List the sources of content',
    answers: answers.builderSources,
    query: listSources,
  },
  {
    ...{ method: 'POST', path: 'search', access, summary: 'Search in a source' },
    args: paramsOf(searchTerm, source),
    answers: answers.found,
    query: searchEntities,
  },
  {
    ...{ method: 'POST', path: 'entity', access, summary: 'Show the name of an item in a source' },
    args: paramsOf(entityId, source),
    answers: answers.label,
    query: showEntity,
  },
];

const iconRows: readonly PluginRoute[] = [
  {
    method: 'GET',
    path: 'get_icon_library',
    access,
    summary: 'List the icons',
    answers: answers.icons,
    query: listIcons,
  },
  {
    ...{ method: 'POST', path: 'update_icon_library', access, summary: 'Add or replace an icon' },
    args: paramsOf(iconName, iconKey, icon),
    answers: answers.icons,
    command: updateIcon,
  },
  {
    ...{ method: 'POST', path: 'delete_from_icon_library', access, summary: 'Remove an icon' },
    args: paramsOf(iconKey),
    answers: answers.icons,
    command: removeIcon,
  },
  {
    ...{ method: 'POST', path: 'sort_icon_library', access, summary: 'Move an icon' },
    args: paramsOf(oldIndex, newIndex),
    answers: answers.icons,
    command: sortIcon,
  },
];

const listRows: readonly PluginRoute[] = [
  {
    method: 'GET',
    path: 'get_roles',
    access,
    summary: 'List the roles',
    answers: answers.roleNames,
    query: listRoles,
  },
  {
    ...{
      method: 'POST',
      path: 'generate_hash',
      access,
      summary: 'Sign a text, and share the design that it names',
    },
    args: paramsOf(customPhp),
    answers: answers.hash,
    command: generateHash,
  },
  {
    method: 'GET',
    path: 'get_shop_products',
    access,
    summary: 'List the products',
    answers: answers.choices,
    query: listShopProducts,
  },
  {
    ...{ method: 'GET', path: 'get_theme_fonts', access, summary: 'List the fonts of the theme' },
    answers: answers.fonts,
    query: listFonts,
  },
  {
    method: 'GET',
    path: 'terms',
    access,
    summary: 'List the terms that are in use',
    answers: answers.termsAnswer,
    query: listBuilderTerms,
  },
];

export const builderRoutes: readonly PluginRoute[] = [
  ...listRows,
  ...postRows,
  ...lookupRows,
  ...contentRows,
  ...iconRows,
  {
    ...{ method: 'GET', path: 'icons/(?P<key>[\\w-]+)', access: 'public', summary: 'Show an icon as an image' },
    ...{ args: { key: shownKey }, answers: z.string().describe('SVG'), types: [svgType], unlisted: true },
    query: showIcon,
  },
];
