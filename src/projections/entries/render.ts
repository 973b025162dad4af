import type { DatabaseSync } from 'node:sqlite';
import type { Entry } from '#domain/entry/state.ts';
import { asciiJson } from '#text/json.ts';
import { renderContent, renderExcerpt, renderTitle } from '#text/render.ts';
import type { Bodies } from './row.ts';

type Texts = Pick<Entry, 'title' | 'content' | 'excerpt' | 'footnotes'>;

/** An entry's texts with what is sent of them. */
export function renderBodies({ title, content, excerpt, footnotes }: Texts): Bodies {
  return {
    content,
    excerpt,
    footnotes,
    titleJson: asciiJson(renderTitle(title)),
    excerptJson: asciiJson(renderExcerpt(excerpt, content)),
    contentJson: asciiJson(renderContent(content, footnotes)),
  };
}

/** The texts alone; `renderMissing` adds the rest. */
export function unrendered({ content, excerpt, footnotes }: Texts): Bodies {
  return { content, excerpt, footnotes, titleJson: '', excerptJson: '', contentJson: '' };
}

/** Renders up to `limit` of the texts that a replay left unrendered; answers how many it found. */
export function renderMissing(db: DatabaseSync, limit: number): number {
  const missing = db
    .prepare(
      `SELECT b.id, e.title, b.content, b.excerpt, b.footnotes FROM bodies b JOIN entries e ON e.id = b.id
       WHERE b.title_json = '' LIMIT ?`,
    )
    .all(limit) as unknown as ({ id: number } & Texts)[];
  const save = db.prepare('UPDATE bodies SET title_json = ?, excerpt_json = ?, content_json = ? WHERE id = ?');
  for (const { id, ...texts } of missing) {
    const { titleJson, excerptJson, contentJson } = renderBodies(texts);
    save.run(titleJson, excerptJson, contentJson, id);
  }
  return missing.length;
}
