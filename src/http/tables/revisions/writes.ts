import * as revisions from '#commands/revisions.ts';
import type { Session } from '#commands/session.ts';
import type { EntryKind } from '#domain/entry/kinds.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { RevisionRow } from '#projections/entries/revisions.ts';
import { shownRevision } from '#site/entries/revisions.ts';
import type { Answer, Call } from '../../engine/types.ts';
import { storable } from '../entries/body.ts';
import { shownEntry } from '../entries/writes.ts';
import { renderingOf } from '../rendering.ts';
import { revisionRecord } from './fields.ts';
import { findParent, findRevision } from './permissions.ts';

type Command = (call: Call<Session>) => Answer | Refusal;

export const revisionRemoval =
  (kind: EntryKind): Command =>
  (call) => {
    const row = find(call, kind);
    if (isRefusal(row)) return row;
    const previous = snapshot(call, row, kind);
    revisions.deleteRevision(call.model, row);
    return { body: { kind: 'json', value: { deleted: true, previous } } };
  };

/** Makes the texts of a revision current again; an addition to the reference system. */
export const restore =
  (kind: EntryKind): Command =>
  (call) => {
    const row = find(call, kind);
    if (isRefusal(row)) return row;
    const { model, viewer } = call;
    const refusal = revisions.revertEntry(model, row, storable(model.revisionTexts(row), viewer));
    return refusal ?? shownEntry(call, row.parent);
  };

function find(call: Call<Session>, kind: EntryKind): RevisionRow | Refusal {
  const parent = findParent(call, kind);
  return isRefusal(parent) ? parent : findRevision(call, parent);
}

/** The revision before its deletion as plain values: its id and the wanted fields, without links. */
function snapshot(call: Call<Session>, row: RevisionRow, kind: EntryKind): Record<string, unknown> {
  const { model, wants } = call;
  const how = { context: 'view', model, rendering: renderingOf(call), kind } as const;
  const record = revisionRecord(shownRevision(row, model), how);
  const names = record.names.filter((name) => name !== '_links' && (name === 'id' || wants(name)));
  return Object.fromEntries(names.map((name) => [name, JSON.parse(record.json(name))]));
}
