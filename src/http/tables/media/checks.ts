import { writableStatuses } from '#domain/entry/vocabulary.ts';
import { mediaStatus } from '#projections/media/store.ts';
import type { Model } from '#projections/reading/model.ts';
import { idFrom } from '../../engine/ids.ts';
import type { Call, Fault } from '../../engine/types.ts';
import { notInVocabulary, wrongTypeOf } from '../entries/checks.ts';

export function checkMediaStatus(value: unknown, { params, model }: Call<Model>): Fault | null {
  if (typeof value !== 'string') return wrongTypeOf('status', 'string');
  const row = model.media(idFrom(params['id']));
  const isStored = row !== undefined && value === (row.status ?? mediaStatus);
  return isStored || (writableStatuses as readonly string[]).includes(value)
    ? null
    : notInVocabulary('status', writableStatuses);
}

export function checkMediaTemplate(value: unknown): Fault | null {
  return value === '' ? null : { code: 'rest_invalid_param', message: 'template is not one of .', data: null };
}
