import { termsIn } from '#domain/entry/classification.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { TermKind } from '#domain/term/kinds.ts';
import { plainLine } from '#domain/term/text.ts';
import { sortKey } from '#projections/collection/collate.ts';
import { lineage } from '#projections/kernel/lineage.ts';
import type { Model } from '#projections/reading/model.ts';
import type { TermRow } from '#projections/terms/definition.ts';
import { CONTENT, namespaceUrl } from '#site/addresses/interface.ts';
import { publicMenus } from '#site/menus.ts';
import { foldText } from '#text/fold.ts';
import { slugify } from '#text/slug.ts';
import { idFrom } from '../../engine/call.ts';
import type { Answer, Call, Context } from '../../engine/types.ts';
import { listIn, type Ordering, ordered, pageOf } from '../records/listing.ts';
import { type TermShowing, termRecord } from './fields.ts';
import { findTerm, seesPublicMenus } from './permissions.ts';

type Query = (call: Call<Model>) => Answer | Refusal;
type Filter = (row: TermRow) => boolean;

export const showTerm =
  (kind: TermKind): Query =>
  (call) => {
    const row = findTerm(call, kind);
    if (isRefusal(row)) return row;
    return { body: { kind: 'record', record: termRecord(row, showing(call)) }, version: String(row.touched) };
  };

export const listTerms =
  (kind: TermKind): Query =>
  (call) => {
    const { model } = call;
    const { rows, headers } = pageOf(call, findTerms(call, kind), {
      url: termsUrl(kind, model),
      offsets: !kind.hierarchical,
      prefix: model.site().names.headers,
    });
    const how = showing(call);
    return { body: { kind: 'list', records: rows.map((row) => termRecord(row, how)) }, headers };
  };

export function termsUrl({ base }: TermKind, model: Model): string {
  return `${namespaceUrl(model.site(), CONTENT)}/${base}`;
}

function showing({ params, viewer, model }: Call<Model>): TermShowing {
  return { context: params['context'] as Context, viewer, model };
}

function findTerms(call: Call<Model>, kind: TermKind): readonly TermRow[] {
  const filters = filtersOf(call, kind);
  const found = candidates(call, kind).filter((row) => filters.every((fits) => fits(row)));
  return ordered(found, ordering(call));
}

function candidates({ params, model, viewer }: Call<Model>, kind: TermKind): readonly TermRow[] {
  if (seesPublicMenus(viewer, kind)) return publicMenus(model);
  const post = idFrom(params['post']);
  if (post === 0) return model.terms(kind.name);
  const entry = model.entry(post);
  return entry === undefined ? [] : termsIn(entry, kind.name).flatMap((id) => model.term(id) ?? []);
}

function filtersOf(call: Call<Model>, kind: TermKind): readonly Filter[] {
  const { params, sent } = call;
  const filters: Filter[] = [];
  const [include, exclude] = [idsIn(call, 'include'), idsIn(call, 'exclude')];
  // As with entries, `include` overrides `exclude`.
  if (include !== undefined) filters.push(({ id }) => include.includes(id));
  else if (exclude !== undefined) filters.push(({ id }) => !exclude.includes(id));
  const slugs = listIn<string>(call, 'slug')?.map(slugify);
  if (slugs !== undefined) filters.push(({ slug }) => slugs.includes(slug));
  if (kind.hierarchical && sent('parent') !== undefined) {
    const parent = idFrom(params['parent']);
    filters.push((row) => row.parent === parent);
  }
  filters.push(namedLike(String(params['search'] ?? '')));
  // The terms of a post are shown whatever else has them.
  if (params['hide_empty'] === true && !(Number(params['post']) > 0)) filters.push(hasPosts(call.model, kind));
  return filters;
}

/** Matches terms with a text in their name or slug; all terms if it is empty. */
export function namedLike(text: string): Filter {
  const search = foldText(plainLine(text));
  return search === '' ? () => true : ({ name, slug }) => foldText(name).includes(search) || slug.includes(search);
}

function hasPosts(model: Model, kind: TermKind): Filter {
  if (!kind.hierarchical) return ({ published }) => published > 0;
  const used = model.terms(kind.name).filter(({ published }) => published > 0);
  const above = new Set(used.flatMap(({ id }) => lineage(id, (below) => model.term(below)?.parent ?? 0)));
  return ({ id }) => above.has(id);
}

function ordering(call: Call<Model>): Ordering<TermRow> {
  const { params } = call;
  const by = String(params['orderby']);
  const include = by === 'include' ? idsIn(call, 'include') : undefined;
  const slugs = by === 'include_slugs' ? listIn<string>(call, 'slug')?.map(slugify) : undefined;
  const key =
    (include && ((row: TermRow) => include.indexOf(row.id))) ??
    (slugs && ((row: TermRow) => slugs.indexOf(row.slug))) ??
    keys[by] ??
    byName;
  return { key, descending: params['order'] === 'desc' };
}

export const byName = ({ name }: TermRow): string => sortKey(name);

const keys: Readonly<Record<string, Ordering<TermRow>['key']>> = {
  id: ({ id }) => id,
  slug: ({ slug }) => sortKey(slug),
  // Terms are never grouped.
  term_group: () => 0,
  description: ({ description }) => sortKey(description),
  count: ({ published }) => published,
};

function idsIn(call: Call<Model>, name: string): readonly number[] | undefined {
  return listIn<number>(call, name)?.map(Math.abs);
}
