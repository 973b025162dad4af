import type { Model } from '#projections/reading/model.ts';
import type { Call } from '../../engine/types.ts';

export function cut<T>(list: readonly T[], { params }: Call<Model>): readonly T[] {
  const perPage = Number(params['per_page']);
  const start = (Number(params['page']) - 1) * perPage;
  return list.slice(start, start + perPage);
}
