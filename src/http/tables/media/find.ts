import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { idFrom } from '../../engine/ids.ts';
import type { Call } from '../../engine/types.ts';

export function findMedia({ params, model }: Call<Model>): MediaRow | Refusal {
  return model.media(idFrom(params['id'])) ?? refuse('rest_post_invalid_id', 'Invalid post ID.');
}
