import type { DatabaseSync } from 'node:sqlite';
import type { Entry } from '#domain/entry/state.ts';
import { workedAll } from '#text/elsewhere.ts';
import type { Rendered } from './row.ts';
import { shownSum } from './values.ts';

type Written = Pick<Entry, 'title' | 'content' | 'excerpt' | 'footnotes'>;

/** What is sent of an entry's texts. `known`: what is ready of it. */
export function render({ title, content, excerpt, footnotes }: Written, known: Partial<Rendered> = {}): Rendered {
  const jobs = [
    { name: 'titleJson', job: 'title', texts: [title] },
    { name: 'excerptJson', job: 'excerpt', texts: [excerpt, content] },
    { name: 'contentJson', job: 'content', texts: [content, footnotes] },
  ] as const;
  const missing = jobs.filter(({ name }) => known[name] === undefined);
  const made = workedAll(missing);
  return { ...unrendered, ...known, ...Object.fromEntries(missing.map(({ name }, i) => [name, made[i] ?? ''])) };
}

/** What of a rendering still holds after a change of the texts. */
export function stillRendered(known: Partial<Rendered>, before: Written, after: Written): Partial<Rendered> {
  const { titleJson, excerptJson, contentJson } = known;
  const isSame = (...names: readonly (keyof Written)[]) => names.every((name) => before[name] === after[name]);
  return {
    ...(titleJson !== undefined && isSame('title') ? { titleJson } : {}),
    ...(excerptJson !== undefined && isSame('excerpt', 'content') ? { excerptJson } : {}),
    ...(contentJson !== undefined && isSame('content', 'footnotes') ? { contentJson } : {}),
  };
}

/** Stands for what `renderMissing` is to make. */
export const unrendered: Rendered = { titleJson: '', excerptJson: '', contentJson: '' };

/** Renders up to `limit` of the texts that a replay left unrendered; answers how many it found. */
export function renderMissing(db: DatabaseSync, limit: number): number {
  const missing = db
    .prepare(
      `SELECT e.id, e.title, t.content, t.excerpt, e.footnotes FROM entries e JOIN texts t ON t.id = e.id
       WHERE e.title_json = '' LIMIT ?`,
    )
    .all(limit) as unknown as ({ id: number } & Written)[];
  const save = db.prepare(
    'UPDATE entries SET title_json = ?, excerpt_json = ?, content_json = ?, shown_sum = ? WHERE id = ?',
  );
  for (const { id, ...written } of missing) {
    const shown = render(written);
    save.run(shown.titleJson, shown.excerptJson, shown.contentJson, shownSum(id, shown), id);
  }
  return missing.length;
}
