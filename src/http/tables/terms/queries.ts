import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { TermKind } from '#domain/term/kinds.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT, namespaceUrl } from '#site/addresses/interface.ts';
import { pageOf } from '../../engine/listing.ts';
import { mapMaybeAsync } from '../../engine/map-maybe-async.ts';
import type { Answer, Call, Context } from '../../engine/types.ts';
import { findTerms } from './collection.ts';
import { termRecord } from './fields.ts';
import { findTerm } from './find.ts';
import type { TermShowing } from './showing.ts';

type SlowQuery = (call: Call<Model>) => Answer | Refusal | Promise<Answer | Refusal>;

export const showTerm =
  (kind: TermKind): SlowQuery =>
  (call) =>
    mapMaybeAsync(call.model.counted(), () => {
      const row = findTerm(call, kind);
      if (isRefusal(row)) return row;
      return { body: { kind: 'record', record: termRecord(row, showing(call)) }, version: String(row.touched) };
    });

export const listTerms =
  (kind: TermKind): SlowQuery =>
  (call) =>
    mapMaybeAsync(call.model.counted(), (model) => {
      const url = termsUrl(kind, model);
      const { rows, headers } = pageOf(call, findTerms(call, kind), {
        url,
        offsets: !kind.hierarchical,
        prefix: model.site().names.headers,
      });
      const how = showing(call);
      return { body: { kind: 'list', records: rows.map((row) => termRecord(row, how)) }, headers };
    });

export function termsUrl({ base }: TermKind, model: Model): string {
  return `${namespaceUrl(model.site(), CONTENT)}/${base}`;
}

function showing({ params, viewer, model }: Call<Model>): TermShowing {
  return { context: params['context'] as Context, viewer, model };
}
