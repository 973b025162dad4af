import type { DatabaseSync } from 'node:sqlite';
import type { Entry } from '#domain/entry/state.ts';
import { resultOf, type TextWork } from '#text/prepared-texts.ts';
import type { Rendered } from './row.ts';
import { EntryWrites } from './writes.ts';

type Written = Pick<Entry, 'title' | 'content' | 'excerpt' | 'footnotes'>;

const jobsOf = ({ title, content, excerpt, footnotes }: Written) =>
  [
    { name: 'titleJson', job: 'title', of: ['title'], texts: [title] },
    { name: 'excerptJson', job: 'excerpt', of: ['excerpt', 'content'], texts: [excerpt, content] },
    { name: 'contentJson', job: 'content', of: ['content', 'footnotes'], texts: [content, footnotes] },
  ] as const;

/** Renders the texts of an entry. `known`: those already rendered. */
export function render(written: Written, known: Partial<Rendered> = {}): Rendered {
  const made = jobsOf(written).map(({ name, job, texts }) => [name, known[name] ?? resultOf(job, ...texts)] as const);
  return Object.fromEntries(made) as unknown as Rendered;
}

/** The jobs that render the texts which a write sets. `before`: texts of the entry, if it exists. */
export function textWorks(set: Partial<Written>, before: Written = empty): readonly TextWork[] {
  return jobsOf({ ...before, ...set }).filter(({ of }) => of.some((name) => set[name] !== undefined));
}

const empty: Written = { title: '', content: '', excerpt: '', footnotes: '' };

/** The rendered texts that are still true of an entry whose texts have changed. */
export function stillRendered(known: Partial<Rendered>, before: Written, after: Written): Partial<Rendered> {
  const standing = jobsOf(after).filter(
    ({ name, of }) => name in known && of.every((text) => before[text] === after[text]),
  );
  return Object.fromEntries(standing.map(({ name }) => [name, known[name]]));
}

/** Placeholder until `renderMissing` has rendered the texts. */
export const unrendered: Rendered = { titleJson: '', excerptJson: '', contentJson: '' };

interface Missing extends Written {
  readonly id: number;
}

/** Returns a function that renders up to a number of unrendered entries and returns how many it found. */
export function renderMissing(db: DatabaseSync): (limit: number) => number {
  const find = db.prepare(
    `SELECT e.id, e.title, t.content, t.excerpt, e.footnotes
     FROM entries e JOIN texts t ON t.id = e.id WHERE e.title_json = '' LIMIT ?`,
  );
  const writes = new EntryWrites(db);
  return (limit) => {
    const missing = find.all(limit) as unknown as Missing[];
    for (const one of missing) writes.saveShown(one.id, render(one));
    return missing.length;
  };
}
