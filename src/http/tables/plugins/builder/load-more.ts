import { z } from 'zod';
import type { Refusal } from '#domain/kernel/refusal.ts';
import type { CollectionQuery } from '#projections/collection/types.ts';
import type { Model } from '#projections/model.ts';
import { type QueryBlocks, queryBlocks } from '#projections/plugins/query-blocks.ts';
import { type QueryBlock, queryBlocksIn } from '#text/query-blocks.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { whenThere } from '../../entries/when-there.ts';
import { raw } from '../kit/envelopes.ts';
import { lenient } from '../kit/field.ts';
import { attributesOf, type BlockAttributes } from './block-attributes.ts';
import { fillTemplate } from './template.ts';

export const queryId = lenient('bldQueryId', z.string().max(500));
export const pageNumber = lenient('page', z.int().min(1).max(1_000_000));
export const count = lenient('num', z.int().min(1).max(1_000_000));

const max = 100;

/** The posts after those that a block shows, in its template; `''` if there is no such block. */
export function loadMore(call: Call<Model>): Answer | Refusal | Promise<Answer | Refusal> {
  return whenThere(call.model.present().following(queryBlocks), (blocks) => moreOf(call, blocks));
}

function moreOf(call: Call<Model>, blocks: QueryBlocks): Answer {
  const { model } = call;
  const found = blockOf(queryId.of(call) ?? '', model, blocks);
  if (found === null) return raw('');
  const attributes = attributesOf(found.block.attributes);
  const limit = Math.min(count.of(call) ?? attributes.numberOfItems, max);
  const after = attributes.numberOfItems + limit * ((pageNumber.of(call) ?? 2) - 2);
  const offset = attributes.postOffset + Math.max(0, after);
  const { ids, total } = model.present().find({ ...listedBy(attributes, found.entry, model), offset, limit });
  const rows = ids.flatMap((id) => model.entry(id) ?? []);
  const shown = rows.map((row) => fillTemplate(found.block.template, row, { model, attributes }));
  const headers = { 'X-BLD-Total_Posts': String(Math.max(0, total - attributes.postOffset)) };
  return { ...raw(shown.join('')), headers };
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

export function listedBy(
  wanted: BlockAttributes,
  entry: number,
  model: Model,
): Omit<CollectionQuery, 'offset' | 'limit'> {
  const { taxonomy, mode, exclude, include } = wanted;
  // A term of another taxonomy finds nothing.
  const terms = wanted.terms.map((id) => (model.term(id)?.taxonomy === taxonomy ? id : 0));
  const left = wanted.excludesItself ? [...exclude, entry] : exclude;
  return {
    kind: wanted.kind,
    statuses: [{ status: 'publish' }],
    orderBy: wanted.orderBy,
    order: wanted.order,
    ...(terms.length === 0 ? {} : { taxonomies: [{ by: 'term', mode, terms }] }),
    ...(include.length === 0 ? {} : { include: include.filter((id) => !left.includes(id)) }),
    ...(left.length === 0 ? {} : { exclude: left }),
  };
}
