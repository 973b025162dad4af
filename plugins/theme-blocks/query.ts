import { type EntryQuery, type PluginReader, slugify, z } from 'palimpsest/plugin';
import { isFields, required } from './values.ts';

const pixels = z.int().min(0).max(10_000);

const shape = z
  .looseObject({
    postsPerPage: z.int().min(-1).max(100),
    orderBy: z.enum(['date', 'title', 'id', 'modified', 'author', 'rand', '']),
    order: z.enum(['ASC', 'DESC', 'asc', 'desc', '']),
    next_page: z.int().min(1).max(1_000_000),
    additionalParams: z.enum(['id', 'tax', 'author', '']),
    postIds: z.array(z.int()).max(1000),
    tax: z.string(),
    taxSlug: z.string().max(2000),
    taxIn: z.array(z.int()).max(1000),
    authorSlug: z.string().max(200),
    inheritGlobalQuery: z.boolean(),
    excerptLength: z.int().min(0).max(100_000),
    imagesProportion: z.string().max(100),
    customImageWidth: pixels,
    customImageHeight: pixels,
    filterBy: z.string().max(100),
  })
  .partial();
export type QueryAttributes = z.infer<typeof shape>;

export const queryAttributes = required(shape, (value) =>
  isFields(value) && value['postsPerPage'] === 0
    ? { code: 'rest_out_of_bounds', message: 'queryAttributes[postsPerPage] must be -1 or between 1 and 100.' }
    : null,
);

export interface ListedPosts {
  readonly ids: readonly number[];
  readonly pages: number;
}

/** Conditions for products beside those for every entry: filters, or an order. */
export type GoodsQuery = Partial<Pick<EntryQuery, 'only' | 'orderBy' | 'order'>>;

export function findListed(
  kind: string,
  attributes: QueryAttributes,
  { model, goods = {} }: { readonly model: PluginReader; readonly goods?: GoodsQuery },
): ListedPosts {
  const wanted = attributes.inheritGlobalQuery === true ? { next_page: attributes.next_page ?? 1 } : attributes;
  const { postsPerPage = 9, next_page: page = 1 } = wanted;
  const limit = postsPerPage === -1 ? 100 : postsPerPage;
  const offset = (page - 1) * limit;
  const found = queryOf(kind, wanted, model);
  if (found === null) return { ids: [], pages: 0 };
  const query = { ...found, ...goods };
  // Named entries keep their order, products the requested one.
  const isRandom = wanted.orderBy === 'rand' && query.orderBy === 'date';
  const { ids, total } = model.find({ ...query, ...(isRandom ? all : { offset, limit }) });
  const shown = isRandom ? shuffled(ids, wanted).slice(offset, offset + limit) : ids;
  return { ids: shown, pages: Math.ceil(total / limit) };
}

const all = { offset: 0, limit: Number.MAX_SAFE_INTEGER };

type Query = Omit<EntryQuery, 'offset' | 'limit'>;

function queryOf(kind: string, wanted: QueryAttributes, model: PluginReader): Query | null {
  const { orderBy = 'date', order = 'DESC' } = wanted;
  const base: Query = {
    kind,
    orderBy: orderBy === '' || orderBy === 'rand' ? 'date' : orderBy,
    order: order.toLowerCase() === 'asc' ? 'asc' : 'desc',
  };
  if (wanted.additionalParams === 'id') return { ...base, include: wanted.postIds ?? [], orderBy: 'include' };
  if (wanted.additionalParams === 'author') {
    const author = model.users().find(({ slug }) => slug === (wanted.authorSlug ?? ''));
    return author === undefined ? null : { ...base, authors: [author.id] };
  }
  if (wanted.additionalParams !== 'tax') return base;
  const terms = termsOf(wanted, model);
  return terms.length === 0 ? null : { ...base, terms: [{ mode: 'any', terms, below: true }] };
}

function termsOf(
  { tax = 'category', taxSlug = '', taxIn = [] }: QueryAttributes,
  model: PluginReader,
): readonly number[] {
  if (tax !== 'category' && tax !== 'post_tag') return [];
  const slugs = taxSlug
    .split(',')
    .map(slugify)
    .filter((slug) => slug !== '');
  const named = slugs.length > 0 ? slugs.map((slug) => model.termBySlug(tax, slug)) : taxIn.map((id) => model.term(id));
  return named.flatMap((term) => (term?.taxonomy === tax ? term.id : []));
}

function shuffled(ids: readonly number[], { next_page: _, ...asked }: QueryAttributes): readonly number[] {
  let seed = 0;
  for (const char of JSON.stringify(asked)) seed = mixed(seed ^ (char.codePointAt(0) ?? 0));
  const ranks = Uint32Array.from(ids, (id) => mixed(seed ^ id));
  const places = Uint32Array.from(ids.keys()).sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0) || a - b);
  return Array.from(places, (place) => ids[place] ?? 0);
}

function mixed(number: number): number {
  let bits = Math.imul(number ^ (number >>> 16), 0x45d9f3b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x45d9f3b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
