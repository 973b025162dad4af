import { DYNAMIC } from '#blocks/dynamic.ts';
import type { CivilMoment } from '#domain/time/format.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { resultOf } from '#text/prepared-texts.ts';
import type { ShownRevision } from '../entries/revisions.ts';
import { canReadEntry } from '../rights.ts';
import type { Here, Post, Rendering } from './types.ts';

/** An entry as the subject of its own texts; the caller has checked that the viewer may read them. */
export function postOf(row: EntryRow, model: Model): Post {
  let texts: ReturnType<Post['texts']> | undefined;
  return {
    id: row.id,
    row,
    isLocked: false,
    footnotes: row.footnotes,
    texts: () => {
      texts ??= model.texts(row.id) ?? { content: '', excerpt: '' };
      return texts;
    },
  };
}

export const noPost: Post = {
  id: 0,
  row: undefined,
  isLocked: false,
  footnotes: '',
  texts: () => ({ content: '', excerpt: '' }),
};

export function otherPost(row: EntryRow, model: Model): Post {
  const post = postOf(row, model);
  return row.password === '' ? post : { ...post, isLocked: true, footnotes: '' };
}

export function mediaPost({ id, caption, description }: MediaRow): Post {
  return {
    id,
    row: undefined,
    isLocked: false,
    footnotes: '',
    texts: () => ({ content: description, excerpt: caption }),
  };
}

/** Whether the viewer may read the entry that an item is attached to, and it has no password or has been opened with it. */
export function readableHost(id: number, { post, rendering: { model, viewer } }: Here): boolean {
  if (id === post.id) return !post.isLocked;
  const row = model.entry(id);
  return row === undefined || (row.password === '' && canReadEntry(viewer, row));
}

export function titleOfPost({ row }: Post): string {
  return row === undefined ? '' : shownTitle(row);
}

export function momentOf({ date, dateGmt, modifiedGmt }: EntryRow): CivilMoment {
  return { local: date, gmt: dateGmt ?? modifiedGmt };
}

export function shownTitle({ titleJson, password, status }: EntryRow): string {
  const title = String(JSON.parse(titleJson));
  if (password !== '') return `Protected: ${title}`;
  return status === 'private' ? `Private: ${title}` : title;
}

/** A revision as the subject of its texts: the entry as it would be with them. */
export function revisionPost({ id, author, parent, texts }: ShownRevision, model: Model): Post {
  const row = model.entry(parent === 0 ? id : parent);
  const { title, content, excerpt, footnotes } = texts;
  const titleJson = resultOf('title', title);
  return {
    id,
    footnotes,
    isLocked: false,
    texts: () => ({ content, excerpt }),
    row: row && { ...row, author, title, titleJson },
  };
}

/** Classes that stand for rules. */
const STYLED = /wp-container-|wp-elements-|wp-duotone-|wp-block-hidden-/;

export function contentOf(row: EntryRow, rendering: Rendering): string {
  const isTold = rendering.rules !== undefined && STYLED.test(row.contentJson);
  return row.contentJson === DYNAMIC || isTold
    ? rendering.content(postOf(row, rendering.model))
    : textIn(row.contentJson);
}

export function excerptOf(row: EntryRow, rendering: Rendering): string {
  return row.excerptJson === DYNAMIC ? rendering.excerpt(postOf(row, rendering.model)) : textIn(row.excerptJson);
}

export function textIn(json: string): string {
  return String(JSON.parse(json || '""'));
}
