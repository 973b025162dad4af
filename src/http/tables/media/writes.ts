import * as media from '#commands/media.ts';
import type { Session } from '#commands/session.ts';
import { post } from '#domain/entry/kinds.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { may } from '#domain/user/roles.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { deletedRecord } from '../../engine/field.ts';
import { idFrom } from '../../engine/ids.ts';
import type { Answer, Call, Context } from '../../engine/types.ts';
import { renderingOf } from '../rendering-of.ts';
import { mediaFields, mediaRecord } from './fields.ts';
import { findMedia } from './find.ts';

export function updateMedia(call: Call<Session>): Answer | Refusal {
  const row = findMedia(call);
  if (isRefusal(row)) return row;
  return (
    parentRefusal(call) ??
    statusRefusal(call) ??
    media.changeMedia(call.model, row.id, mediaFields.input(call)) ??
    shownMedia(call, row.id)
  );
}

export function removeMedia(call: Call<Session>): Answer | Refusal {
  const row = findMedia(call);
  if (isRefusal(row)) return row;
  if (call.params['force'] !== true) {
    return refuse('rest_trash_not_supported', "The post does not support trashing. Set 'force=true' to delete.");
  }
  const { viewer, model, wants } = call;
  const record = deletedRecord(
    mediaRecord(row, { context: 'edit', viewer, model, rendering: renderingOf(call) }),
    wants,
  );
  media.deleteMedia(call.model, row.id);
  return { body: { kind: 'record', record }, noAllow: true };
}

export function shownMedia(call: Call<Session>, id: number, context: Context = 'edit'): Answer {
  const { model, viewer } = call;
  const row = model.media(id) as MediaRow;
  const record = mediaRecord(row, { context, viewer, model, rendering: renderingOf(call) });
  return { body: { kind: 'record', record }, version: String(row.touched) };
}

function statusRefusal({ sent, viewer }: Call<Model>): Refusal | null {
  const needs = ['private', 'publish', 'future'].includes(String(sent('status')));
  return !needs || may(viewer, post.rights.publish)
    ? null
    : refuse('rest_cannot_publish', 'Sorry, you are not allowed to publish posts in this post type.');
}

/** Media cannot be attached to media. */
export function parentRefusal({ params, model }: Call<Model>): Refusal | null {
  const host = idFrom(params['post']);
  return host !== 0 && model.media(host) !== undefined ? refuse('rest_invalid_param', 'Invalid parent type.') : null;
}
