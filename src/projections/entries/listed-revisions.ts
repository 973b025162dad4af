import { newestFirst } from '#domain/entry/revisions.ts';
import type { EntryRevisions, RevisionPage, RevisionRow } from './revisions.ts';

/** The revisions of an entry as rows in memory, newest first. */
export function revisionsIn(rows: readonly RevisionRow[]): EntryRevisions {
  return {
    all: () => rows,
    autosaves: () => rows.filter(({ isAutosave }) => isAutosave),
    before: ({ id }) => rows[rows.findIndex((row) => row.id === id) + 1],
    page({ orderBy, order, exclude, offset, limit }) {
      const left = rows.filter(({ id }) => !exclude.includes(id)).sort(comparisons[orderBy]);
      if (order === 'desc') left.reverse();
      return { rows: left.slice(offset, offset + limit), total: left.length };
    },
  };
}

type Compare = (a: RevisionRow, b: RevisionRow) => number;

const comparisons: Readonly<Record<RevisionPage['orderBy'], Compare>> = {
  date: (a, b) => newestFirst(b, a),
  id: (a, b) => a.id - b.id,
  slug: (a, b) => Number(b.isAutosave) - Number(a.isAutosave) || a.id - b.id,
};
