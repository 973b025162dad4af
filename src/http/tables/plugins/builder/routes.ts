import { z } from 'zod';
import { sentArgsOf } from '../kit/field.ts';
import type { Namespace, PluginParts } from '../kit/namespace.ts';
import { type NamespaceRow, tableOf } from '../kit/table.ts';
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

const name = 'builder/v3';
const access = 'editPosts';

const postRows: readonly NamespaceRow[] = [
  {
    ...{ method: 'GET', path: 'get_posts', access, summary: 'List posts for blocks' },
    args: sentArgsOf(...postsFields),
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
    args: sentArgsOf(queryId, pageNumber, wantedCount),
    answers: answers.more,
    query: loadMore,
  },
];

const lookupRows: readonly NamespaceRow[] = [
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

const contentRows: readonly NamespaceRow[] = [
  {
    ...{ method: 'POST', path: 'content', access, summary: 'Show the value of a field' },
    args: sentArgsOf(fieldData),
    answers: answers.builderContent,
    query: showContent,
  },
  {
    ...{ method: 'POST', path: 'fields', access, summary: 'List the fields of a source' },
    args: sentArgsOf(source, anyId),
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
    args: sentArgsOf(searchTerm, source),
    answers: answers.found,
    query: searchEntities,
  },
  {
    ...{ method: 'POST', path: 'entity', access, summary: 'Show the name of an item in a source' },
    args: sentArgsOf(entityId, source),
    answers: answers.label,
    query: showEntity,
  },
];

const iconRows: readonly NamespaceRow[] = [
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
    args: sentArgsOf(iconName, iconKey, icon),
    answers: answers.icons,
    command: updateIcon,
  },
  {
    ...{ method: 'POST', path: 'delete_from_icon_library', access, summary: 'Remove an icon' },
    args: sentArgsOf(iconKey),
    answers: answers.icons,
    command: removeIcon,
  },
  {
    ...{ method: 'POST', path: 'sort_icon_library', access, summary: 'Move an icon' },
    args: sentArgsOf(oldIndex, newIndex),
    answers: answers.icons,
    command: sortIcon,
  },
];

export const builderV3: Namespace = {
  name,
  routes: (parts) => tableOf(name, [...listRows(parts), ...postRows, ...lookupRows, ...contentRows, ...iconRows]),
  additions: () =>
    tableOf(name, [
      {
        ...{ method: 'GET', path: 'icons/(?P<key>[\\w-]+)', access: 'public', summary: 'Show an icon as an image' },
        ...{ args: { key: shownKey }, answers: z.string().describe('SVG'), types: [svgType] },
        query: showIcon,
      },
    ]),
};

function listRows({ settings, clock }: PluginParts): readonly NamespaceRow[] {
  return [
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
      args: sentArgsOf(customPhp),
      answers: answers.hash,
      command: (call) => generateHash(call, clock),
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
      query: (call) => listFonts(call, settings),
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
}
