import * as entries from '#commands/entries.ts';
import type { Session } from '#commands/session.ts';
import type { EntryKind } from '#domain/entry/kinds.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import { collectionUrl } from '#site/addresses/items.ts';
import type { Answer, Call } from '../../engine/types.ts';
import { deletedRecord } from '../records/field.ts';
import { lateRenderingOf, renderingOf } from '../rendering.ts';
import { entryMetaRefusal } from './body.ts';
import { entryFieldsOf, entryRecord } from './fields.ts';
import { findEntry } from './permissions.ts';

type Command = (call: Call<Session>) => Answer | Refusal;

export const entryCreation =
  (kind: EntryKind): Command =>
  (call) => {
    // An id of 0 counts as absent for the permission, but finds no entry here.
    if (call.sent('id') !== undefined) return missing(findEntry(call, kind));
    const id = entries.createEntry(call.model, kind, entryFieldsOf(kind).input(call));
    if (isRefusal(id)) return id;
    const headers = { Location: `${collectionUrl(kind, call.model)}/${id}` };
    return entryMetaRefusal(call, kind) ?? { ...shownEntry(call, id), status: 201, headers };
  };

export const entryUpdate =
  (kind: EntryKind): Command =>
  (call) => {
    const row = findEntry(call, kind);
    if (isRefusal(row)) return row;
    const refusal =
      entries.saveEntry(call.model, row.id, entryFieldsOf(kind).input(call)) ?? entryMetaRefusal(call, kind);
    return refusal ?? shownEntry(call, row.id);
  };

export const entryRemoval =
  (kind: EntryKind): Command =>
  (call) => {
    const row = findEntry(call, kind);
    if (isRefusal(row)) return row;
    if (call.params['force'] === true) {
      const { viewer, model, wants } = call;
      const rendering = renderingOf(call);
      const record = deletedRecord(entryRecord(row, { context: 'edit', viewer, model, rendering }), wants);
      entries.deleteEntry(call.model, row.id);
      return { body: { kind: 'record', record }, noAllow: true };
    }
    return entries.trashEntry(call.model, row.id) ?? shownEntry(call, row.id);
  };

export function shownEntry(call: Call<Session>, id: number): Answer {
  const { model, viewer } = call;
  const row = model.entry(id) as EntryRow;
  const record = entryRecord(row, { context: 'edit', viewer, model, rendering: lateRenderingOf(call) });
  return { body: { kind: 'record', record }, version: String(row.version) };
}

function missing(found: EntryRow | Refusal): Refusal {
  if (isRefusal(found)) return found;
  throw new Error('an id that names an entry must have been refused before');
}
