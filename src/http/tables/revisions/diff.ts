import type { EntryKind } from '#domain/entry/kinds.ts';
import type { RevisionTexts } from '#domain/entry/texts.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { RevisionRow } from '#projections/entries/revisions.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import type { JsonText } from '#text/json.ts';
import { resultOf } from '#text/suspended.ts';
import type { Answer, Call } from '../../engine/types.ts';
import { findParent, findRevision } from './find.ts';

/**
 * The differences between two revisions, text by text. `from` defaults to the one saved before; the oldest is compared with empty
 * texts.
 */
export const diffRevisions =
  (kind: EntryKind) =>
  (call: Call<Model>): Answer | Refusal => {
    const parent = findParent(call, kind);
    if (isRefusal(parent)) return parent;
    const to = findRevision(call, parent);
    if (isRefusal(to)) return to;
    const from = call.sent('from') === undefined ? before(to, call.model) : findRevision(call, parent, 'from');
    return isRefusal(from) ? from : answerOf(call.model, { parent, from, to });
  };

interface Compared {
  readonly parent: EntryRow;
  readonly from: RevisionRow | null;
  readonly to: RevisionRow;
}

function before(row: RevisionRow, model: Model): RevisionRow | null {
  return model.revisions(row.parent).before(row) ?? null;
}

function answerOf(model: Model, { parent, from, to }: Compared): Answer {
  const old = from === null ? nothing : model.revisionTexts(from);
  const now = model.revisionTexts(to);
  const diff = (name: keyof RevisionTexts) => resultOf('differences', old[name], now[name]);
  const fields: Readonly<Record<string, () => JsonText>> = {
    parent: () => String(parent.id),
    from: () => String(from?.id ?? null),
    to: () => String(to.id),
    title: () => diff('title'),
    content: () => diff('content'),
    excerpt: () => diff('excerpt'),
    meta: () => `{"footnotes":${diff('footnotes')}}`,
  };
  const record = { names: Object.keys(fields), json: (name: string) => fields[name]?.() ?? 'null' };
  return { body: { kind: 'record', record } };
}

const nothing: RevisionTexts = { title: '', content: '', excerpt: '', footnotes: '' };
