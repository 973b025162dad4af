import { argsOf } from '../kit/field.ts';
import type { Namespace } from '../kit/namespace.ts';
import { tableOf } from '../kit/table.ts';
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
import { icon, iconKey, iconName, listIcons, newIndex, oldIndex, removeIcon, sortIcon, updateIcon } from './icons.ts';
import { customPhp, generateHash, listFonts, listRoles, listShopProducts, listTerms } from './lists.ts';
import { count, loadMore, pageNumber, queryId } from './load-more.ts';
import { listAttributes, listEngine, listFieldset } from './lookups.ts';
import { listPosts } from './posts.ts';
import { postsFields } from './posts-query.ts';

const name = 'builder/v3';
const access = 'editPosts';

/** What the editor of the builder asks for, and what its blocks show. */
export const builderV3: Namespace = {
  name,
  deployments: ['B'],
  routes: ({ settings }) =>
    tableOf(name, [
      { method: 'GET', path: 'get_roles', access, summary: 'List the roles', query: listRoles },
      {
        ...{ method: 'POST', path: 'generate_hash', access, summary: 'Sign a text' },
        args: argsOf(customPhp),
        command: generateHash,
      },
      {
        method: 'GET',
        path: 'get_shop_products',
        access,
        summary: 'List the products',
        query: listShopProducts,
      },
      {
        ...{ method: 'GET', path: 'get_theme_fonts', access, summary: 'List the fonts of the theme' },
        query: (call) => listFonts(call, settings),
      },
      { method: 'GET', path: 'terms', access, summary: 'List the terms that are in use', query: listTerms },
      {
        ...{ method: 'GET', path: 'get_posts', access, summary: 'List posts for blocks' },
        args: argsOf(...postsFields),
        query: listPosts,
      },
      {
        ...{
          method: 'GET',
          path: 'load-more',
          access: 'public',
          summary: 'Render the next posts of a block',
        },
        args: argsOf(queryId, pageNumber, count),
        query: loadMore,
      },
      {
        ...{ method: 'GET', access: 'editOthers', summary: 'List the values of a field' },
        path: 'metabox/fieldset_text/(?P<meta_key>[\\S]+)/(?P<post_id>[\\d]+)/(?P<source>[\\S]+)',
        query: listFieldset,
      },
      {
        ...{ method: 'GET', access: 'editOthers', summary: 'List fields of the terms of a post' },
        path: 'engine/(?P<taxonomy>[\\S]+)/(?P<post_id>[\\d]+)',
        query: listEngine,
      },
      {
        ...{ method: 'GET', path: 'shop/(?P<post_id>[\\d]+)', access: 'editOthers' },
        summary: 'List the attributes of a product',
        query: listAttributes,
      },
      {
        ...{ method: 'POST', path: 'content', access, summary: 'Show the value of a field' },
        args: argsOf(fieldData),
        query: showContent,
      },
      {
        ...{ method: 'POST', path: 'fields', access, summary: 'List the fields of a source' },
        args: argsOf(source, anyId),
        query: listFields,
      },
      { method: 'POST', path: 'sources', access, summary: 'List the sources of content', query: listSources },
      {
        ...{ method: 'POST', path: 'search', access, summary: 'Search in a source' },
        args: argsOf(searchTerm, source),
        query: searchEntities,
      },
      {
        ...{ method: 'POST', path: 'entity', access, summary: 'Show the name of an item in a source' },
        args: argsOf(entityId, source),
        query: showEntity,
      },
      { method: 'GET', path: 'get_icon_library', access, summary: 'List the icons', query: listIcons },
      {
        ...{ method: 'POST', path: 'update_icon_library', access, summary: 'Add or replace an icon' },
        args: argsOf(iconName, iconKey, icon),
        command: updateIcon,
      },
      {
        ...{ method: 'POST', path: 'delete_from_icon_library', access, summary: 'Remove an icon' },
        args: argsOf(iconKey),
        command: removeIcon,
      },
      {
        ...{ method: 'POST', path: 'sort_icon_library', access, summary: 'Move an icon' },
        args: argsOf(oldIndex, newIndex),
        command: sortIcon,
      },
    ]),
};
