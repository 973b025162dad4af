import { hash } from 'node:crypto';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/model.ts';
import { type QueryBlock, queryBlocksIn, replaceQueryBlocks } from '#text/query-blocks.ts';
import { parseQuery } from '../engine/query-string.ts';
import { postOf } from '../rendering/posts.ts';
import { publicRendering } from '../rendering/rendering-of.ts';
import { attributesOf } from '../tables/plugins/builder/block-attributes.ts';
import { listedBy } from '../tables/plugins/builder/load-more.ts';
import { fillTemplate } from '../tables/plugins/builder/template.ts';
import { html } from './html.ts';
import type { Item } from './item.ts';
import { paging } from './layout.ts';

/** The content of an item, with the post lists of its builder blocks filled in. `query`: that of the address, which selects their pages. */
export function contentWithLists(item: Item, model: Model, query: string): string {
  const raw = item.type === 'attachment' ? '' : (item.written?.() ?? model.texts(item.id)?.content ?? '');
  const row = queryBlocksIn(raw).length === 0 ? undefined : model.entry(item.id);
  if (row === undefined) return item.content();
  const wanted = parseQuery(query);
  const lists: string[] = [];
  // Lists are already escaped, so they are inserted last: nothing in them may be parsed as blocks or shortcodes.
  const mark = hash('sha256', raw, 'hex');
  const text = replaceQueryBlocks(raw, (block) => {
    lists.push(listOf(block, { row, address: item.address, page: pageIn(wanted[parameterOf(block)]) }, model));
    return `<div id="${mark}-${lists.length - 1}"></div>`;
  });
  const rendered = publicRendering(model).content(postOf(row, model), { text });
  return lists.reduce((content, list, i) => content.replace(`<div id="${mark}-${i}"></div>`, () => list), rendered);
}

interface Listed {
  readonly row: EntryRow;
  readonly address: string;
  readonly page: number;
}

function listOf(block: QueryBlock, { row, address, page }: Listed, model: Model): string {
  const attributes = attributesOf(block.attributes);
  const { numberOfItems: limit, postOffset } = attributes;
  const offset = postOffset + limit * (page - 1);
  const { ids, total } = model.present().find({ ...listedBy(attributes, row.id, model), offset, limit });
  const rows = ids.flatMap((id) => model.entry(id) ?? []);
  const shown = rows.map((one) => fillTemplate(block.template, one, { model, attributes }));
  const to = (number: number) => (number === 1 ? address : `${address}?${parameterOf(block)}=${number}`);
  const turns = paging({
    newer: page === 1 ? null : to(page - 1),
    older: offset + limit < total ? to(page + 1) : null,
  });
  return shown.join('') + html`${turns}`.markup;
}

function parameterOf({ id }: QueryBlock): string {
  return `${id.replace(/[^\w-]/g, '-')}-page`;
}

function pageIn(value: unknown): number {
  return typeof value === 'string' && /^[1-9]\d{0,6}$/.test(value) ? Number(value) : 1;
}
