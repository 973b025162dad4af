import { z } from 'zod';
import type { Session } from '#commands/session.ts';
import { menuItem } from '#domain/entry/kinds.ts';
import { has } from '#domain/entry/rights.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { isPublicMenuItem, publicMenus } from '#site/menus.ts';
import { canEditEntry, canReadEntry } from '#site/rights.ts';
import type { Arg, Args, Call, Route } from '../../engine/types.ts';
import { autosaveRoutes } from '../autosaves/routes.ts';
import { entryCollectionArgs, idArg } from '../entries/args.ts';
import {
  findEntry,
  hiddenUnless,
  mayCreateEntry,
  mayDeleteEntry,
  mayListEntries,
  mayUpdateEntry,
  pastOfCollection,
  pastOfItem,
} from '../entries/permissions.ts';
import { type FindRecords, listRecords, showing } from '../entries/reads.ts';
import { resourceRoutes } from '../records/resource.ts';
import { contextArg, pagingArgs } from '../records/usual-args.ts';
import { menuItemFields, menuItemRecord, menuItemSchema } from './fields.ts';
import { createItem, removeItem, updateItem } from './writes.ts';

const inOrder: Args<Model> = entryCollectionArgs(menuItem);

const itemCollectionArgs: Args<Model> = {
  ...inOrder,
  per_page: withDefault(pagingArgs['per_page'], 100),
  order: withDefault(inOrder['order'], 'asc'),
  orderby: withDefault(inOrder['orderby'], 'menu_order'),
};

const menuItemItemArgs: Args<Model> = { id: idArg, context: contextArg };

const updateItemArgs: Args<Model> = { id: idArg, ...menuItemFields.args() };

const initial = { status: 'publish', type: 'custom', object_id: 0, parent: 0, menu_order: 1 };

const createItemArgs: Args<Model> = {
  ...menuItemFields.args(),
  ...Object.fromEntries(
    Object.entries(initial).map(([name, value]) => [name, withDefault(menuItemFields.args()[name], value)]),
  ),
};

const deleteItemArgs: Args<Model> = {
  id: idArg,
  force: {
    schema: z.boolean().default(false).describe('Required to be true, as menu items do not support trashing.'),
    pass: 2,
  },
};

/** The most items of public menus. */
const mostPublic = 1000;

const mayListItems: Permission = (call) => {
  const { viewer, model } = call;
  return mayListEntries(menuItem)(call) ?? (publicMenus(model).length > 0 ? null : mayView(viewer));
};

/** Those who may not read menu items find those that everybody may see. */
const items: FindRecords = {
  find: (query, model, viewer) => {
    if (has(viewer, menuItem.rights.read)) return model.find(query);
    const placed = { by: 'term', mode: 'any', terms: publicMenus(model).map(({ id }) => id) } as const;
    const taxonomies = [...(query.taxonomies ?? []), placed];
    const { ids } = model.find({ ...query, taxonomies, offset: 0, limit: mostPublic });
    const open = ids.filter((id) => isPublic(model.entry(id), model));
    return { ids: open.slice(query.offset, query.offset + query.limit), total: open.length };
  },
  isShown: (viewer, row, model) => canReadEntry(viewer, row) || isPublicMenuItem(row, model),
};

const isPublic = (row: EntryRow | undefined, model: Model): boolean =>
  row !== undefined && isPublicMenuItem(row, model);

/** An unpublished item is refused as such, before the viewer is refused all menu items. */
const mayShowItem: Permission = (call) => {
  const row = findEntry(call, menuItem);
  if (isRefusal(row)) return row;
  const { params, viewer } = call;
  if (params['context'] === 'edit' && !canEditEntry(viewer, row)) {
    return refuse('rest_forbidden_context', 'Sorry, you are not allowed to edit this post.');
  }
  if (row.status !== 'publish' && !canReadEntry(viewer, row)) {
    return refuse('rest_forbidden', 'Sorry, you are not allowed to do that.');
  }
  return isPublicMenuItem(row, call.model) ? null : mayView(viewer);
};

export function menuItemRoutes(): readonly Route<Model, Session>[] {
  return [
    ...resourceRoutes<Model, Session>({
      namespace: CONTENT,
      path: `/${menuItem.base}`,
      allowBatch: true,
      mayWait: true,
      schema: menuItemSchema,
      version: (call) => {
        const row = findEntry(call, menuItem);
        return isRefusal(row) ? null : String(row.version);
      },
      list: {
        args: itemCollectionArgs,
        past: pastOfCollection,
        permission: mayListItems,
        query: listRecords(menuItem, menuItemRecord, items),
        depends,
      },
      create: { args: createItemArgs, permission: mayCreateEntry(menuItem), command: createItem },
      show: {
        args: menuItemItemArgs,
        past: { ...pastOfItem, hidden: hiddenUnless((call) => mayShowItem(call) === null, noItem) },
        permission: mayShowItem,
        query: (call) => {
          const row = findEntry(call, menuItem);
          if (isRefusal(row)) return row;
          const record = menuItemRecord(row, showing(call));
          return { body: { kind: 'record', record }, version: String(row.version) };
        },
        depends,
      },
      update: { args: updateItemArgs, permission: mayUpdateEntry(menuItem), command: updateItem },
      remove: { args: deleteItemArgs, permission: mayDeleteEntry(menuItem), command: removeItem },
    }),
    ...autosaveRoutes(menuItem, { args: menuItemFields.args(), input: textsIn }),
  ];
}

const depends = () => ['entries', 'media', 'terms', 'site'];

function textsIn(call: Parameters<typeof menuItemFields.input>[0]) {
  const { title, tip: excerpt, description: content } = menuItemFields.input(call);
  return {
    ...(title === undefined ? {} : { title }),
    ...(excerpt === undefined ? {} : { excerpt }),
    ...(content === undefined ? {} : { content }),
  };
}

const noItem = refuse('rest_post_invalid_id', 'Invalid post ID.');

/** Permissions for menu items (interface behaviour, section 30); the first refusal that applies is returned. */
type Permission = (call: Call<Model>) => Refusal | null;

function mayView(viewer: Viewer): Refusal | null {
  return has(viewer, menuItem.rights.read)
    ? null
    : refuse('rest_cannot_view', 'Sorry, you are not allowed to view menu items.');
}

function withDefault(arg: Arg<Model> | undefined, value: string | number): Arg<Model> {
  if (arg === undefined) throw new Error('there is no such parameter');
  return { ...arg, schema: arg.schema.meta({ ...arg.schema.meta(), default: value }) };
}
