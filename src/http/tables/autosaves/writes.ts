import * as revisions from '#commands/revisions.ts';
import type { Session } from '#commands/session.ts';
import type { EntryFields } from '#domain/entry/commands.ts';
import type { EntryKind } from '#domain/entry/kinds.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Answer, Args, Call } from '../../engine/types.ts';
import { entryMetaRefusal } from '../entries/body.ts';
import { findEntry } from '../entries/find.ts';
import { lateRenderingOf } from '../rendering-of.ts';
import { autosaveRecord, savedRecord } from './record.ts';

export interface AutosaveBody {
  readonly args: Args<Model>;
  readonly input: (call: Call<Model>) => EntryFields;
}

export const autosave =
  (kind: EntryKind, input: AutosaveBody['input']) =>
  (call: Call<Session>): Answer | Refusal => {
    const { model } = call;
    const row = findEntry(call, kind);
    if (isRefusal(row)) return row;
    const saved = revisions.autosaveEntry(model, row.id, input(call));
    if (isRefusal(saved)) return saved;
    const refusal = entryMetaRefusal(call, kind);
    if (refusal !== null) return refusal;
    const now = model.entry(row.id) ?? row;
    const how = { call, context: 'edit', rendering: lateRenderingOf(call) } as const;
    const record = saved === null ? savedRecord(now, how) : autosaveRecord(saved, now, how);
    return { body: { kind: 'record', record } };
  };
