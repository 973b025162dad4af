import type { Model } from '#projections/reading/model.ts';
import { resultOf } from '#text/suspended.ts';
import type { ShownRevision } from '../entries/revisions.ts';
import type { Post } from './types.ts';

/** A revision as the subject of its texts: the entry as it would be with them. */
export function revisionPost({ id, author, parent, texts }: ShownRevision, model: Model): Post {
  const row = model.entry(parent === 0 ? id : parent);
  const { title, content, excerpt, footnotes } = texts;
  const titleJson = resultOf('title', title);
  return {
    ...{ id, footnotes, isLocked: false, texts: () => ({ content, excerpt }) },
    row: row && { ...row, author, title, titleJson },
  };
}
