import { deleteEntry } from '#commands/entries.ts';
import { createMenuItem, saveMenuItem } from '#commands/menu-items.ts';
import type { Session } from '#commands/session.ts';
import { menuItem } from '#domain/entry/kinds.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import { collectionUrl } from '#site/addresses/items.ts';
import { shownItem } from '#site/menus.ts';
import type { Answer, Call, Context } from '../../engine/types.ts';
import { findEntry } from '../entries/permissions.ts';
import { deletedRecord, type FieldRecord } from '../records/field.ts';
import { renderingOf } from '../rendering.ts';
import { menuItemFields, menuItemRecord } from './fields.ts';

type Command = (call: Call<Session>) => Answer | Refusal;

export const createItem: Command = (call) => {
  const id = createMenuItem(call.model, menuItemFields.input(call));
  if (isRefusal(id)) return id;
  const headers = { Location: `${collectionUrl(menuItem, call.model)}/${id}` };
  return { ...shown(call, id), status: 201, headers };
};

export const updateItem: Command = (call) => {
  const row = findEntry(call, menuItem);
  if (isRefusal(row)) return row;
  const item = { id: row.id, shown: shownItem(row, call) };
  return saveMenuItem(call.model, item, menuItemFields.input(call)) ?? shown(call, row.id);
};

export const removeItem: Command = (call) => {
  const row = findEntry(call, menuItem);
  if (isRefusal(row)) return row;
  if (call.params['force'] !== true) {
    return refuse('rest_trash_not_supported', "Menu items do not support trashing. Set 'force=true' to delete.");
  }
  const record = deletedRecord(recordIn('view', call, row), call.wants);
  deleteEntry(call.model, row.id);
  return { body: { kind: 'record', record }, noAllow: true };
};

function shown(call: Call<Session>, id: number): Answer {
  const row = call.model.entry(id) as EntryRow;
  return { body: { kind: 'record', record: recordIn('edit', call, row) }, version: String(row.version) };
}

function recordIn(context: Context, call: Call<Session>, row: EntryRow): FieldRecord {
  const { model, viewer } = call;
  return menuItemRecord(row, { context, model, viewer, rendering: renderingOf(call) });
}
