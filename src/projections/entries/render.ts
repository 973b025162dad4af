import type { DatabaseSync } from 'node:sqlite';
import type { Entry } from '#domain/entry/state.ts';
import { asciiJson } from '#text/json.ts';
import { renderContent, renderExcerpt, renderTitle } from '#text/render.ts';
import type { Rendered } from './row.ts';

type Written = Pick<Entry, 'title' | 'content' | 'excerpt' | 'footnotes'>;

/** What is sent of an entry's texts. */
export function render({ title, content, excerpt, footnotes }: Written): Rendered {
  return {
    titleJson: asciiJson(renderTitle(title)),
    excerptJson: asciiJson(renderExcerpt(excerpt, content)),
    contentJson: asciiJson(renderContent(content, footnotes)),
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
  const save = db.prepare('UPDATE entries SET title_json = ?, excerpt_json = ?, content_json = ? WHERE id = ?');
  for (const { id, ...written } of missing) {
    const { titleJson, excerptJson, contentJson } = render(written);
    save.run(titleJson, excerptJson, contentJson, id);
  }
  return missing.length;
}
