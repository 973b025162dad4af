import type { Session } from '#commands/session.ts';
import * as terms from '#commands/terms.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { TermFields } from '#domain/term/commands.ts';
import type { TermKind } from '#domain/term/kinds.ts';
import type { TermRow } from '#projections/terms/definition.ts';
import type { Answer, Call, Context } from '../../engine/types.ts';
import { deletedRecord } from '../records/field.ts';
import { termFieldsOf, termRecord, writtenContext } from './fields.ts';
import { findTerm } from './permissions.ts';
import { termsUrl } from './reads.ts';

type Command = (call: Call<Session>) => Answer | Refusal;

export const termCreation =
  (kind: TermKind): Command =>
  (call) => {
    const id = terms.createTerm(call.model, kind, input(call, kind));
    if (isRefusal(id)) return id;
    const headers = { Location: `${termsUrl(kind, call.model)}/${id}` };
    return { ...shown(call, kind, id), status: 201, headers };
  };

export const termUpdate =
  (kind: TermKind): Command =>
  (call) => {
    const row = findTerm(call, kind);
    if (isRefusal(row)) return row;
    return terms.changeTerm(call.model, row.id, input(call, kind)) ?? shown(call, kind, row.id);
  };

export const termRemoval =
  (kind: TermKind): Command =>
  (call) => {
    const row = findTerm(call, kind);
    if (isRefusal(row)) return row;
    if (call.params['force'] !== true) {
      return refuse('rest_trash_not_supported', "Terms do not support trashing. Set 'force=true' to delete.");
    }
    const record = deletedRecord(recordIn('view', call, row));
    const refusal = terms.deleteTerm(call.model, row.id);
    return refusal ?? { body: { kind: 'record', record }, noAllow: true };
  };

function input(call: Call<Session>, kind: TermKind): TermFields {
  const parent = call.sent('parent');
  // Tags do not have this parameter, but it is refused rather than ignored.
  const misplaced = !kind.hierarchical && parent !== undefined && parent !== null;
  return { ...termFieldsOf(kind).input(call), ...(misplaced ? { parent: 0 } : {}) };
}

function shown(call: Call<Session>, kind: TermKind, id: number): Answer {
  const row = call.model.term(id) as TermRow;
  return { body: { kind: 'record', record: recordIn(writtenContext(kind), call, row) } };
}

function recordIn(context: Context, { viewer, model }: Call<Session>, row: TermRow) {
  return termRecord(row, { context, viewer, model });
}
