import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/model.ts';
import type { Call } from '../../engine/types.ts';
import { numberOf } from '../entries/find.ts';

export function findMedia({ params, model }: Call<Model>): MediaRow | Refusal {
  return model.media(numberOf(params['id'])) ?? refuse('rest_post_invalid_id', 'Invalid post ID.');
}
