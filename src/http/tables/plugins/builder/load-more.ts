import { z } from 'zod';
import type { Refusal } from '#domain/kernel/refusal.ts';
import { type QueryBlocks, queryBlocks } from '#projections/plugins/query-blocks.ts';
import type { Model } from '#projections/reading/model.ts';
import { listedBy, queryAttributesOf } from '#site/builder/block-attributes.ts';
import { fillTemplate } from '#site/builder/template.ts';
import { type QueryBlock, queryBlocksIn } from '#text/query-blocks.ts';
import { mapMaybeAsync } from '../../../engine/map-maybe-async.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { rawAnswer } from '../kit/envelopes.ts';
import { lenient } from '../kit/field.ts';

export const queryId = lenient('bldQueryId', z.string().max(500));
export const pageNumber = lenient('page', z.int().min(1).max(1_000_000));
export const wantedCount = lenient('num', z.int().min(1).max(1_000_000));

const max = 100;

/** The posts after those that a block shows, in its template; `''` if there is no such block. */
export function loadMore(call: Call<Model>): Answer | Refusal | Promise<Answer | Refusal> {
  return mapMaybeAsync(call.model.present().following(queryBlocks), (blocks) => moreOf(call, blocks));
}

function moreOf(call: Call<Model>, blocks: QueryBlocks): Answer {
  const { model } = call;
  const found = blockOf(queryId.of(call) ?? '', model, blocks);
  if (found === null) return rawAnswer('');
  const attributes = queryAttributesOf(found.block.attributes);
  const limit = Math.min(wantedCount.of(call) ?? attributes.numberOfItems, max);
  const after = attributes.numberOfItems + limit * ((pageNumber.of(call) ?? 2) - 2);
  const offset = attributes.postOffset + Math.max(0, after);
  const { ids, total } = model.present().find({ ...listedBy(attributes, found.entry, model), offset, limit });
  const rows = ids.flatMap((id) => model.entry(id) ?? []);
  const shown = rows.map((row) => fillTemplate(found.block.template, row, { model, attributes }));
  const headers = { 'X-BLD-Total_Posts': String(Math.max(0, total - attributes.postOffset)) };
  return { ...rawAnswer(shown.join('')), headers };
}

function blockOf(
  id: string,
  model: Model,
  blocks: QueryBlocks,
): { readonly block: QueryBlock; readonly entry: number } | null {
  if (id === '') return null;
  const entry = blocks.of(id).find((each) => {
    const row = model.entry(each);
    return row?.status === 'publish' && row.password === '';
  });
  const block = queryBlocksIn(model.texts(entry ?? 0)?.content ?? '').find((one) => one.id === id);
  return entry === undefined || block === undefined ? null : { block, entry };
}
