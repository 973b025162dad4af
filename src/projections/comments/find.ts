import type { DatabaseSync } from 'node:sqlite';
import type { Found } from '../kernel/collection-query.ts';
import { standingOf } from '../kernel/versions.ts';
import type { CommentCounts } from './counts.ts';
import { type CommentOrder, type CommentQuery, personalEnd } from './types.ts';

type Value = string | number;

interface Search {
  readonly db: DatabaseSync;
  /** Null: comments have to be counted. */
  readonly counts: CommentCounts | null;
}

interface PlacedComment {
  readonly id: number;
  readonly key: Value;
}

export function findComments(query: CommentQuery, search: Search): Found {
  const total = totalOf(query, search);
  // Most posts have none, and counting is cheaper than searching.
  return { ids: total === 0 ? [] : placedComments(query, search).map(({ id }) => id), total };
}

function placedComments(query: CommentQuery, { db }: Search): readonly PlacedComment[] {
  const { orderBy, order, offset, limit, include = [] } = query;
  if (isImpossible(query) || (orderBy === 'include' && include.length === 0)) return [];
  const { from, where, values } = conditions(query, db);
  if (orderBy === 'include') {
    const found = db
      .prepare(`SELECT c.id AS id, c.id AS key ${from} ${where}`)
      .all(...values) as unknown as PlacedComment[];
    const rank = new Map([...include].reverse().map((id, i) => [id, include.length - i]));
    const placed = found.map(({ id }) => ({ id, key: rank.get(id) ?? 0 }));
    return placed.sort((a, b) => a.key - b.key).slice(offset, offset + limit);
  }
  const column = orderColumns[orderBy];
  const sql = `SELECT c.id AS id, c.${column} AS key ${from} ${where} ${orderSql(orderBy, order)} LIMIT ? OFFSET ?`;
  return db.prepare(sql).all(...values, limit, offset) as unknown as PlacedComment[];
}

function totalOf(query: CommentQuery, { db, counts }: Search): number {
  if (isImpossible(query)) return 0;
  const { statuses, kinds, posts } = query;
  if (counts !== null && isCounted(query)) return counts.total(isList(posts) ? posts : null, kinds, statuses);
  const { from, where, values } = conditions(query, db);
  return Number(db.prepare(`SELECT count(*) AS total ${from} ${where}`).get(...values)?.['total']);
}

const orderColumns: Readonly<Record<Exclude<CommentOrder, 'include'>, string>> = {
  date: 'date',
  date_gmt: 'date_gmt',
  id: 'id',
  post: 'post',
  parent: 'parent',
  kind: 'kind',
};

function orderSql(orderBy: Exclude<CommentOrder, 'include'>, order: 'asc' | 'desc'): string {
  return `ORDER BY c.${orderColumns[orderBy]} ${order}, c.id ${sameDirection(orderBy) ? order : 'desc'}`;
}

function sameDirection(orderBy: CommentOrder): boolean {
  return orderBy === 'date' || orderBy === 'date_gmt' || orderBy === 'id';
}

function isImpossible({ statuses, kinds }: CommentQuery): boolean {
  return statuses?.length === 0 || kinds?.length === 0;
}

function isCounted({ include, exclude, parents, notParents, authors, notAuthors, ...rest }: CommentQuery): boolean {
  const lists = [include, exclude, parents, notParents, authors, notAuthors];
  const { email, after, before, search } = rest;
  return !lists.some(isList) && [email, after, before, search].every((one) => one === undefined);
}

function isList(list: readonly number[] | undefined): list is readonly number[] {
  return list !== undefined && list.length > 0;
}

interface Conditions {
  readonly from: string;
  readonly where: string;
  readonly values: Value[];
}

function conditions(query: CommentQuery, db: DatabaseSync): Conditions {
  // The past has neither indexes of its own nor trigrams.
  const isPast = standingOf(db) !== undefined;
  const terms: string[] = [];
  const values: Value[] = [];
  const add = (term: string, ...more: Value[]) => {
    terms.push(term);
    values.push(...more);
  };
  const among = (column: string, list: readonly number[] | undefined, not = '') => {
    if (!isList(list)) return;
    if (list.length === 1) add(`c.${column} ${not === '' ? '=' : '<>'} ?`, list[0] as number);
    else add(`c.${column} ${not} IN (SELECT value FROM json_each(?))`, JSON.stringify(list));
  };
  among('id', query.include);
  among('id', query.exclude, 'NOT');
  among('post', query.posts);
  among('parent', query.parents);
  among('parent', query.notParents, 'NOT');
  among('author', query.authors);
  among('author', query.notAuthors, 'NOT');
  if (query.email !== undefined) add('c.mail = ?', query.email);
  if (query.after !== undefined) add('c.date > ?', query.after);
  if (query.before !== undefined) add('c.date < ?', query.before);
  if (query.kinds !== null) add(`c.kind IN (${query.kinds.map(() => '?')})`, ...query.kinds);
  const isLossy = db.prepare('SELECT 1 FROM comment_losses LIMIT 1').get() !== undefined;
  addStatuses(query, isLossy, add);
  const isSearched = query.search !== undefined;
  if (query.search !== undefined)
    addSearch(query.search, { searchesPersonal: query.searchesPersonal === true, hasGrams: !isPast }, add);
  const joins = [
    ...(isLossy ? ['LEFT JOIN comment_losses l ON l.post = c.post'] : []),
    ...(isSearched ? ['JOIN comment_texts t ON t.id = c.id'] : []),
  ];
  const index = isPast ? null : indexFor(query);
  const hint = index === null ? '' : `INDEXED BY ${index}`;
  const where = terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`;
  return { from: `FROM comments c ${hint} ${joins.join(' ')}`, where, values };
}

type Add = (term: string, ...values: Value[]) => void;

function addStatuses({ statuses }: CommentQuery, isLossy: boolean, add: Add): void {
  if (isLossy) add('coalesce(l.deleted, 0) <= c.touched');
  if (statuses === null) return;
  const listed = `c.status IN (${statuses.map(() => '?')})`;
  const isLost = 'coalesce(l.trashed, 0) > c.touched';
  if (!isLossy) add(listed, ...statuses);
  else if (statuses.includes('post-trashed')) add(`(${listed} OR ${isLost})`, ...statuses);
  else add(`${listed} AND NOT ${isLost}`, ...statuses);
}

/** Maximum number of trigrams used to find candidates; the texts themselves decide. */
const maxGrams = 12;

function addSearch(
  term: string,
  { searchesPersonal, hasGrams }: { readonly searchesPersonal: boolean; readonly hasGrams: boolean },
  add: Add,
): void {
  const text = term.replaceAll('\0', '');
  const characters = [...text];
  const grams = new Set<string>();
  for (let i = 0; i + 3 <= characters.length && grams.size < maxGrams; i++) {
    grams.add(
      `"${characters
        .slice(i, i + 3)
        .join('')
        .replaceAll('"', '""')}"`,
    );
  }
  if (hasGrams && grams.size > 0) {
    add('c.id IN (SELECT rowid FROM comment_grams WHERE comment_grams MATCH ?)', [...grams].join(' AND '));
  }
  const searched = searchesPersonal ? 't.folded' : `substr(t.folded, instr(t.folded, '${personalEnd}'))`;
  add(`instr(${searched}, ?) > 0`, text);
}

/** The index that needs to read the fewest comments; null leaves it to the planner. */
function indexFor(query: CommentQuery): string | null {
  const { include, search, authors, email, parents, posts, statuses, kinds, orderBy } = query;
  if (isList(include) || search !== undefined) return null;
  if (email !== undefined) return 'comments_by_mail';
  if (isList(authors)) return 'comments_by_author';
  if (isList(parents) && !parents.includes(0)) return 'comments_by_parent';
  if (isList(posts)) return 'comments_by_post';
  if (statuses?.length !== 1 || kinds?.length !== 1 || statuses.includes('post-trashed')) return null;
  if (orderBy === 'date') return 'comments_by_status_date';
  if (orderBy === 'date_gmt') return 'comments_by_status_date_gmt';
  return orderBy === 'id' || orderBy === 'kind' ? 'comments_by_status' : null;
}
