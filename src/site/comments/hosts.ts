import type { HostRights } from '#domain/comment/rights.ts';
import { kindOf, page, post } from '#domain/entry/kinds.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { permalink } from '../addresses/entries.ts';
import { mediaLink } from '../addresses/media.ts';
import { canEditEntry, canReadEntry } from '../rights/entries.ts';
import { canEditMedia, canReadMedia } from '../rights/media.ts';

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
