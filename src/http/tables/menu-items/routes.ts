import type { Session } from '#commands/session.ts';
import { menuItem } from '#domain/entry/kinds.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { resourceRoutes } from '../../engine/resource.ts';
import type { Route } from '../../engine/types.ts';
import { autosaveRoutes } from '../autosaves/routes.ts';
import { findEntry } from '../entries/find.ts';
import {
  mayCreateEntry,
  mayDeleteEntry,
  mayUpdateEntry,
  pastOfCollection,
  pastOfItem,
} from '../entries/permissions.ts';
import { listRecords, showing } from '../entries/queries.ts';
import { createItemArgs, deleteItemArgs, itemCollectionArgs, menuItemItemArgs, updateItemArgs } from './args.ts';
import { menuItemFields, menuItemRecord, menuItemSchema } from './fields.ts';
import { mayListItems, mayShowItem } from './permissions.ts';
import { createItem, removeItem, updateItem } from './writes.ts';

export function menuItemRoutes(): readonly Route<Model, Session>[] {
  return [
    ...resourceRoutes<Model, Session>({
      namespace: CONTENT,
      path: `/${menuItem.base}`,
      allowBatch: true,
      schema: menuItemSchema,
      version: (call) => {
        const row = findEntry(call, menuItem);
        return isRefusal(row) ? null : String(row.version);
      },
      list: {
        args: itemCollectionArgs,
        past: pastOfCollection,
        permission: mayListItems,
        query: listRecords(menuItem, menuItemRecord),
        depends,
      },
      create: { args: createItemArgs, permission: mayCreateEntry(menuItem), command: createItem },
      show: {
        args: menuItemItemArgs,
        past: pastOfItem,
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
