import { type HostRights, mayEditComment, mayReadComment } from '#domain/comment/rights.ts';
import { kindOf, page, post } from '#domain/entry/kinds.ts';
import { asWriter, type Viewer } from '#domain/user/roles.ts';
import type { CommentRow } from '#projections/comments/types.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { mediaLink, permalink } from './addresses/items.ts';
import { canEditEntry, canEditMedia, canReadEntry, canReadMedia } from './rights.ts';

/** The host of a comment: an entry or a media item. */
export type CommentHost = EntryHost | MediaHost;

interface EntryHost {
  readonly of: 'entry';
  readonly row: EntryRow;
}

interface MediaHost {
  readonly of: 'media';
  readonly row: MediaRow;
}

/** The entry or media item with an id; null if there is none. */
export function commentHostOf(id: number, model: Model): CommentHost | null {
  if (id === 0) return null;
  const entry = model.entry(id);
  if (entry !== undefined) return { of: 'entry', row: entry };
  const media = model.media(id);
  return media === undefined ? null : { of: 'media', row: media };
}

export function hostPlace({ of, row }: CommentHost): { readonly type: string; readonly path: string } {
  if (of === 'media') return { type: 'attachment', path: `media/${row.id}` };
  return { type: row.kind, path: `${kindOf(row.kind).base}/${row.id}` };
}

export function hostLink({ of, row }: CommentHost, model: Model, viewer: Viewer): string {
  return of === 'media' ? mediaLink(row, model, viewer) : permalink(row, model);
}

export function isOpenToComments({ row }: CommentHost): boolean {
  return row.commentStatus === 'open';
}

export function takesNotes({ of, row }: CommentHost): boolean {
  return of === 'entry' && (row.kind === post.name || row.kind === page.name);
}

export function hostStatus({ of, row }: CommentHost): string {
  return of === 'media' ? 'inherit' : row.status;
}

/** '' for none. */
export function hostPassword({ of, row }: CommentHost): string {
  return of === 'media' ? '' : row.password;
}

/** The viewer's rights over a host; `password`: the one in the request, '' for none. */
export function rightsOver(host: CommentHost, viewer: Viewer, model: Model, password = ''): HostRights {
  if (host.of === 'media') {
    return { isReadable: canReadMedia(viewer, host.row, model), isEditable: canEditMedia(viewer, host.row) };
  }
  const isEditable = canEditEntry(viewer, host.row);
  const isLocked = host.row.password !== '' && host.row.password !== password;
  return { isReadable: isLocked ? isEditable : canReadEntry(viewer, host.row), isEditable };
}

/** `password`: that of the host, as sent in the request. */
export function canReadComment(viewer: Viewer, comment: CommentRow, model: Model, password = ''): boolean {
  return mayReadComment(viewer, comment, hostRights(viewer, comment, model, password));
}

export function canEditComment(viewer: Viewer, comment: CommentRow, model: Model): boolean {
  return mayEditComment(viewer, hostRights(viewer, comment, model));
}

export function methodsForComment(viewer: Viewer, comment: CommentRow, model: Model): readonly string[] {
  const methods = canReadComment(viewer, comment, model) ? ['GET'] : [];
  return canEditComment(asWriter(viewer), comment, model) ? [...methods, 'POST', 'PUT', 'PATCH', 'DELETE'] : methods;
}

/** The viewer's rights over a comment's host; null if there is none. */
export function hostRights(viewer: Viewer, comment: CommentRow, model: Model, password = ''): HostRights | null {
  const host = commentHostOf(comment.post, model);
  return host && rightsOver(host, viewer, model, password);
}
