import type { UserRow } from '#projections/users.ts';
import { foldText } from '#text/fold.ts';

type Column = 'id' | 'username' | 'slug' | 'email' | 'name' | 'url';

export interface UserSearch {
  /** Columns that were asked for; empty: those that the text looks like. */
  readonly columns: readonly string[];
  readonly all: boolean;
}

/** Whether a user has a text in one of the columns, case and accents ignored; an id has to be the whole text. */
export function searchFilter(text: string, search: UserSearch): (row: UserRow) => boolean {
  const wanted = foldText(text.replace(/^\*+/, '').replace(/\*+$/, ''));
  const columns = columnsFor(wanted, search);
  return (row) =>
    columns.some((column) =>
      column === 'id' ? String(row.id) === wanted : foldText(values[column](row)).includes(wanted),
    );
}

const values: Readonly<Record<Exclude<Column, 'id'>, (row: UserRow) => string>> = {
  username: ({ login }) => login,
  slug: ({ slug }) => slug,
  email: ({ email }) => email,
  name: ({ displayName }) => displayName,
  url: ({ url }) => url,
};

function columnsFor(text: string, { columns, all }: UserSearch): readonly Column[] {
  const allowed: readonly Column[] = all
    ? ['id', 'username', 'slug', 'email', 'name']
    : ['id', 'username', 'slug', 'name'];
  const named = allowed.filter((column) => columns.includes(column));
  if (named.length > 0) return named;
  if (!all) return allowed;
  if (text.includes('@')) return ['email'];
  if (/^\d+$/.test(text)) return ['username', 'id'];
  return /^https?:\/\//.test(text) ? ['url'] : ['username', 'url', 'email', 'slug', 'name'];
}
