import type { UserRow } from '#projections/users/definition.ts';
import { foldText } from '#text/fold.ts';

type Column = 'id' | 'username' | 'slug' | 'email' | 'name' | 'url';

export interface UserSearch {
  /** Requested columns; empty: chosen by the form of the text. */
  readonly columns: readonly string[];
  readonly all: boolean;
}

/** Matches users with a text in one of the columns, ignoring case and accents; an id must be equal to the text. */
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
