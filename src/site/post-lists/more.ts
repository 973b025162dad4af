import { type QueryBlock, queryBlocksIn } from '#blocks/query-blocks.ts';
import type { QueryBlocks } from '#projections/plugins/query-blocks.ts';
import type { Model } from '#projections/reading/model.ts';
import { asHtml, type Html } from '#text/html.ts';
import { listedBy, queryAttributesOf } from './block-attributes.ts';
import { fillTemplate } from './template.ts';

const max = 100;

interface Wanted {
  readonly list: string;
  readonly page: number;
  readonly limit?: number | undefined;
}

/** The posts after those that a block shows, in its template; null if there is no such block. */
export function morePosts(
  blocks: QueryBlocks,
  { list, page, limit: wanted }: Wanted,
  model: Model,
): { readonly shown: Html; readonly total: number } | null {
  const found = blockOf(list, model, blocks);
  if (found === null) return null;
  const attributes = queryAttributesOf(found.block.attributes);
  const limit = Math.min(wanted ?? attributes.numberOfItems, max);
  const after = attributes.numberOfItems + limit * (page - 2);
  const offset = attributes.postOffset + Math.max(0, after);
  const { ids, total } = model.present().find({ ...listedBy(attributes, found.entry, model), offset, limit });
  const rows = ids.flatMap((id) => model.entry(id) ?? []);
  const shown = rows.map((row) => fillTemplate(found.block.template, row, { model, attributes }));
  return { shown: asHtml(shown.join('')), total: Math.max(0, total - attributes.postOffset) };
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
