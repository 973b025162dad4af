import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { CommentRow } from '#projections/comments/types.ts';
import type { Model } from '#projections/model.ts';
import type { Call } from '../../engine/types.ts';
import { numberOf } from '../entries/find.ts';

export function findComment({ params, model }: Call<Model>): CommentRow | Refusal {
  const id = numberOf(params['id']);
  const comment = id > 0 ? model.comments.get(id) : undefined;
  return comment ?? refuse('rest_comment_invalid_id', 'Invalid comment ID.');
}
