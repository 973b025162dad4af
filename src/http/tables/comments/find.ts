import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { CommentRow } from '#projections/comments/types.ts';
import type { Model } from '#projections/reading/model.ts';
import { idFrom } from '../../engine/ids.ts';
import type { Call } from '../../engine/types.ts';

export function findComment({ params, model }: Call<Model>): CommentRow | Refusal {
  const id = idFrom(params['id']);
  const comment = id > 0 ? model.comments.get(id) : undefined;
  return comment ?? refuse('rest_comment_invalid_id', 'Invalid comment ID.');
}
