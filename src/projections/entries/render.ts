import type { DatabaseSync } from 'node:sqlite';
import type { Entry } from '#domain/entry/state.ts';
import { resultsOf, workAhead } from '#text/suspended.ts';
import { jsonWorks } from '#text/text-json.ts';
import { contentPartsOf } from './parts.ts';
import type { Rendered } from './row.ts';
import { contentParts, hasLongContent, withContent } from './values.ts';
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
  const missing = jobsOf(written).filter(({ name }) => !(name in known));
  const made = resultsOf(missing);
  const isMade = (name: keyof Rendered) => missing.findIndex((one) => one.name === name);
  const shown = (name: keyof Rendered) => known[name] ?? made[isMade(name)] ?? '';
  const short = { titleJson: shown('titleJson'), excerptJson: shown('excerptJson') };
  return withContentOf(known, short) ?? { ...short, contentJson: shown('contentJson') };
}

/** Renders the texts that a write sets, so that its decision finds them rendered. `before`: texts of the entry, if it exists. */
export function renderAhead(set: Partial<Written>, before: Written = empty): void {
  const changes = (names: readonly (keyof Written)[]) => names.some((name) => set[name] !== undefined);
  const works = jobsOf({ ...before, ...set }).filter(({ of }) => changes(of));
  const written = [set.content, set.excerpt].filter((text) => text !== undefined);
  workAhead([...works, ...written.flatMap(jsonWorks)]);
}

const empty: Written = { title: '', content: '', excerpt: '', footnotes: '' };

export function stillRendered(known: Partial<Rendered>, before: Written, after: Written): Partial<Rendered> {
  const holds = (name: keyof Rendered, ...texts: readonly (keyof Written)[]) =>
    name in known && texts.every((text) => before[text] === after[text]);
  const { titleJson, excerptJson } = known;
  const kept = {
    ...(titleJson !== undefined && holds('titleJson', 'title') ? { titleJson } : {}),
    ...(excerptJson !== undefined && holds('excerptJson', 'excerpt', 'content') ? { excerptJson } : {}),
  };
  if (!holds('contentJson', 'content', 'footnotes')) return kept;
  return withContentOf(known, kept) ?? { ...kept, contentJson: known.contentJson ?? '' };
}

/** Adds a long content that is read on demand; null if it is not long. */
function withContentOf<R extends object>(known: Partial<Rendered>, row: R): (R & Rendered) | null {
  return hasLongContent(known) ? (withContent(row, () => contentParts(known)) as R & Rendered) : null;
}

/** Placeholder until `renderMissing` has rendered the texts. */
export const unrendered: Rendered = { titleJson: '', excerptJson: '', contentJson: '' };

interface Missing extends Written {
  readonly id: number;
  /** Number of parts of a long content, and its position in the log. */
  readonly parts: number;
  readonly at: number;
}

/** Returns a function that renders up to a number of unrendered entries and returns how many it found. */
export function renderMissing(db: DatabaseSync): (limit: number) => number {
  const find = db.prepare(
    `SELECT e.id, e.title, t.content, t.content_parts AS parts, t.content_at AS at, t.excerpt, e.footnotes
     FROM entries e JOIN texts t ON t.id = e.id WHERE e.title_json = '' LIMIT ?`,
  );
  const writes = new EntryWrites(db);
  const long = contentPartsOf(db, 'long_texts');
  const whole = ({ id, parts }: Missing) =>
    Array.from({ length: parts }, (_, part) => long.read(id, part).text).join('');
  return (limit) => {
    const missing = find.all(limit) as unknown as Missing[];
    for (const one of missing) {
      writes.saveShown(one.id, render(one.parts === 0 ? one : { ...one, content: whole(one) }));
    }
    return missing.length;
  };
}
