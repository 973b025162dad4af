import { z } from 'zod';
import { menuItem } from '#domain/entry/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Arg, Args } from '../../engine/types.ts';
import { contextArg, pagingArgs } from '../../engine/usual-args.ts';
import { entryCollectionArgs, idArg } from '../entries/args.ts';
import { menuItemFields } from './fields.ts';

const inOrder: Args<Model> = entryCollectionArgs(menuItem);

export const itemCollectionArgs: Args<Model> = {
  ...inOrder,
  per_page: withDefault(pagingArgs['per_page'], 100),
  order: withDefault(inOrder['order'], 'asc'),
  orderby: withDefault(inOrder['orderby'], 'menu_order'),
};

export const menuItemItemArgs: Args<Model> = { id: idArg, context: contextArg };

export const updateItemArgs: Args<Model> = { id: idArg, ...menuItemFields.args() };

const initial = { status: 'publish', type: 'custom', object_id: 0, parent: 0, menu_order: 1 };

export const createItemArgs: Args<Model> = {
  ...menuItemFields.args(),
  ...Object.fromEntries(
    Object.entries(initial).map(([name, value]) => [name, withDefault(menuItemFields.args()[name], value)]),
  ),
};

export const deleteItemArgs: Args<Model> = {
  id: idArg,
  force: {
    schema: z.boolean().default(false).describe('Required to be true, as menu items do not support trashing.'),
    pass: 2,
  },
};

function withDefault(arg: Arg<Model> | undefined, value: string | number): Arg<Model> {
  if (arg === undefined) throw new Error('there is no such parameter');
  return { ...arg, schema: arg.schema.meta({ ...arg.schema.meta(), default: value }) };
}
