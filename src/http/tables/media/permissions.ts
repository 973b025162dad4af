import { post } from '#domain/entry/kinds.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { may, type Viewer } from '#domain/user/roles.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { canEditEntry, canEditMedia, canReadMedia } from '#site/rights.ts';
import { idFrom } from '../../engine/call.ts';
import type { Call, RoutePast } from '../../engine/types.ts';
import { hiddenUnless, isEmpty, mayAssignAuthor, mayListEntries, noPast } from '../entries/permissions.ts';

/** Permissions for media (interface behaviour, sections 14 and 22); the first refusal that applies is returned. */

type Permission = (call: Call<Model>) => Refusal | null;

export function mayUploadFiles(viewer: Viewer): boolean {
  return may(viewer, 'upload_files');
}

export const mayListMedia: Permission = mayListEntries(post);

export const mayShowMedia: Permission = (call) => {
  const row = findMedia(call);
  if (isRefusal(row)) return row;
  const { params, viewer, model } = call;
  if (params['context'] === 'edit' && !canEditMedia(viewer, row)) {
    return refuse('rest_forbidden_context', 'Sorry, you are not allowed to edit this post.');
  }
  return canReadMedia(viewer, row, model) ? null : refuse('rest_forbidden', 'Sorry, you are not allowed to do that.');
};

export const mayUpload: Permission = ({ params, viewer, model }) => {
  if (!isEmpty(params['id'])) return refuse('rest_post_exists', 'Cannot create existing post.');
  const refusal = mayAssignAuthor(params['author'], viewer, post);
  if (refusal !== null) return refusal;
  if (!mayUploadFiles(viewer)) {
    return refuse('rest_cannot_create', 'Sorry, you are not allowed to create posts as this user.');
  }
  return isEmpty(params['post']) || canEditHost(viewer, idFrom(params['post']), model)
    ? null
    : refuse('rest_cannot_edit', 'Sorry, you are not allowed to upload media to this post.');
};

export const mayUpdateMedia: Permission = (call) => {
  const row = findMedia(call);
  if (isRefusal(row)) return row;
  const { params, viewer } = call;
  if (!canEditMedia(viewer, row)) return refuse('rest_cannot_edit', 'Sorry, you are not allowed to edit this post.');
  return mayAssignAuthor(params['author'], viewer, post);
};

export const mayEditImage: Permission = (call) =>
  mayUploadFiles(call.viewer)
    ? mayUpdateMedia(call)
    : refuse('rest_cannot_edit_image', 'Sorry, you are not allowed to upload media on this site.');

export const mayDeleteMedia: Permission = (call) => {
  const row = findMedia(call);
  if (isRefusal(row)) return row;
  return canEditMedia(call.viewer, row)
    ? null
    : refuse('rest_cannot_delete', 'Sorry, you are not allowed to delete this post.');
};

function canEditHost(viewer: Viewer, id: number, model: Model): boolean {
  const [entry, media] = [model.entry(id), model.media(id)];
  if (entry !== undefined) return canEditEntry(viewer, entry);
  return media !== undefined && canEditMedia(viewer, media);
}

/** The past of a media item is for users who may edit the present one; that of deleted items, for users who may edit any. */
export const pastOfMedia: RoutePast<Model> = {
  what: 'the item',
  permission: ({ params, viewer, model }) => {
    const now = model.present().media(idFrom(params['id']));
    return (now === undefined ? may(viewer, post.rights.editOthers) : canEditMedia(viewer, now)) ? null : noPast;
  },
  hidden: hiddenUnless(
    (call) => {
      const row = findMedia(call);
      return !isRefusal(row) && canReadMedia(call.viewer, row, call.model);
    },
    refuse('rest_post_invalid_id', 'Invalid post ID.'),
  ),
};

export function findMedia({ params, model }: Call<Model>): MediaRow | Refusal {
  return model.media(idFrom(params['id'])) ?? refuse('rest_post_invalid_id', 'Invalid post ID.');
}
