import type { Session } from '#commands/session.ts';
import * as terms from '#commands/terms.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { TermFields } from '#domain/term/commands.ts';
import type { TermKind } from '#domain/term/kinds.ts';
import { storedName } from '#domain/term/text.ts';
import type { TermRow } from '#projections/terms.ts';
import type { Answer, Call, Context } from '../../engine/types.ts';
import { filterTitle } from '../entries/body.ts';
import { findTerm } from './find.ts';
import { collectionUrl } from './queries.ts';
import { termRecord } from './record.ts';

type Command = (call: Call<Session>) => Answer | Refusal;

export const create =
  (kind: TermKind): Command =>
  (call) => {
    const id = terms.createTerm(call.model, kind, termFields(call, kind));
    if (isRefusal(id)) return id;
    const headers = { Location: `${collectionUrl(kind, call.model)}/${id}` };
    return { ...shown(call, id), status: 201, headers };
  };

export const update =
  (kind: TermKind): Command =>
  (call) => {
    const row = findTerm(call, kind);
    if (isRefusal(row)) return row;
    return terms.changeTerm(call.model, row.id, termFields(call, kind)) ?? shown(call, row.id);
  };

export const remove =
  (kind: TermKind): Command =>
  (call) => {
    const row = findTerm(call, kind);
    if (isRefusal(row)) return row;
    if (call.params['force'] !== true) {
      return refuse('rest_trash_not_supported', "Terms do not support trashing. Set 'force=true' to delete.");
    }
    const previous = snapshot(call, row);
    const refusal = terms.deleteTerm(call.model, row.id);
    return refusal ?? { body: { kind: 'json', value: { deleted: true, previous } }, noAllow: true };
  };

/** What a request sent, in the form in which it is stored. A null stands for the empty value of its type. */
function termFields({ params, sent }: Call<Session>, kind: TermKind): TermFields {
  const parent = sent('parent');
  return {
    ...text('name', params, storedName),
    ...text('slug', params, (slug) => slug),
    ...text('description', params, filterTitle),
    ...(kind.hierarchical && parent !== undefined ? { parent: params['parent'] as number } : {}),
    // Not a parameter of tags, and yet refused rather than ignored.
    ...(!kind.hierarchical && parent !== undefined && parent !== null ? { parent: 0 } : {}),
  };
}

function text(name: string, params: Call<Session>['params'], stored: (text: string) => string): Record<string, string> {
  const value = params[name];
  return typeof value === 'string' ? { [name]: stored(value) } : {};
}

/** The term after a write, in context edit whatever was asked for. */
function shown(call: Call<Session>, id: number): Answer {
  const row = call.model.term(id) as TermRow;
  return { body: { kind: 'record', record: recordIn('edit', call, row) } };
}

/** The term as it is before it goes, as plain values: it can't be read afterwards. */
function snapshot(call: Call<Session>, row: TermRow): Record<string, unknown> {
  const record = recordIn('view', call, row);
  const names = record.names.filter((name) => name !== '_links');
  return Object.fromEntries(names.map((name) => [name, JSON.parse(record.json(name))]));
}

function recordIn(context: Context, { viewer, model }: Call<Session>, row: TermRow) {
  return termRecord(row, { context, viewer, model });
}
