import { hash } from 'node:crypto';
import type { Counters } from '#blocks/counters.ts';
import { type QueryBlock, queryBlocksIn, replaceQueryBlocks } from '#blocks/query-blocks.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { html } from '#text/html.ts';
import { permalink } from '../addresses/items.ts';
import { paging } from '../markup/paging.ts';
import { AnswerRendering } from '../rendering/rendering.ts';
import type { FillLists, Reading, Rendering } from '../rendering/types.ts';
import { listedBy, queryAttributesOf } from './block-attributes.ts';
import { fillTemplate } from './template.ts';

/** A rendering in which lists of posts are filled in. */
export function renderingWithLists(reading: Omit<Reading, 'lists'>, counters?: Counters): AnswerRendering {
  return new AnswerRendering({ ...reading, lists: fillLists }, counters);
}

/** What everybody sees on a page. `query`: that of its address. */
export function publicRendering(
  model: Model,
  { query = {}, rules }: Partial<Pick<Reading, 'query' | 'rules'>> = {},
): Rendering {
  return renderingWithLists({ model, viewer: anonymous, path: '', query, rules });
}

/** Fills in the lists of posts that blocks show, on the pages that the request names. */
const fillLists: FillLists = (raw, { post: { row }, rendering }, render) => {
  if (row === undefined || queryBlocksIn(raw).length === 0) return render(raw);
  const lists: string[] = [];
  // Lists are already escaped, so they are inserted last: nothing in them may be parsed as blocks or shortcodes.
  const mark = hash('sha256', raw, 'hex');
  const text = replaceQueryBlocks(raw, (block) => {
    lists.push(listOf(block, row, rendering));
    return `<div id="${mark}-${lists.length - 1}"></div>`;
  });
  const rendered = render(text);
  return lists.reduce((content, list, i) => content.replace(`<div id="${mark}-${i}"></div>`, () => list), rendered);
};

function listOf(block: QueryBlock, row: EntryRow, rendering: Rendering): string {
  const { model, query } = rendering;
  const attributes = queryAttributesOf(block.attributes);
  const { numberOfItems: limit, postOffset } = attributes;
  const page = pageIn(query[parameterOf(block)]);
  const offset = postOffset + limit * (page - 1);
  const { ids, total } = rendering.found({ ...listedBy(attributes, row.id, model), offset, limit });
  const rows = ids.flatMap((id) => model.entry(id) ?? []);
  const shown = rows.map((one) => fillTemplate(block.template, one, { model, attributes }));
  const address = permalink(row, model);
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
