import type { EntryRow } from '#projections/entries/row.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/model.ts';
import { canRead } from '../tables/entries/policy.ts';
import type { Here, Post } from './types.ts';

/** An entry as what texts are about. */
export function postOf(row: EntryRow, model: Model): Post {
  let texts: ReturnType<Post['texts']> | undefined;
  return {
    id: row.id,
    row,
    footnotes: row.footnotes,
    texts: () => {
      texts ??= model.texts(row.id) ?? { content: '', excerpt: '' };
      return texts;
    },
  };
}

export function mediaPost({ id, caption, description }: MediaRow): Post {
  return { id, row: undefined, footnotes: '', texts: () => ({ content: description, excerpt: caption }) };
}

/** Whether the viewer may read the entry that something is attached to, and no password is in the way. */
export function readableHost(id: number, { rendering: { model, viewer } }: Here): boolean {
  const row = model.entry(id);
  return row === undefined || (row.password === '' && canRead(viewer, row));
}

/** The title as it is rendered, with a word about who may read it. */
export function shownTitle({ titleJson, password, status }: EntryRow): string {
  const title = String(JSON.parse(titleJson));
  if (password !== '') return `Protected: ${title}`;
  return status === 'private' ? `Private: ${title}` : title;
}
