import { writableStatuses } from '#domain/entry/vocabulary.ts';
import { mediaStatus } from '#projections/media/store.ts';
import type { Model } from '#projections/reading/model.ts';
import { idFrom } from '../../engine/ids.ts';
import type { Call, Fault } from '../../engine/types.ts';
import { notInEnum, wrongType } from '../entries/checks.ts';

export function checkStatus(value: unknown, { params, model }: Call<Model>): Fault | null {
  if (typeof value !== 'string') return wrongType('status', 'string');
  const row = model.media(idFrom(params['id']));
  const isStored = row !== undefined && value === (row.status ?? mediaStatus);
  return isStored || (writableStatuses as readonly string[]).includes(value)
    ? null
    : notInEnum('status', writableStatuses);
}

export function checkTemplate(value: unknown): Fault | null {
  return value === '' ? null : { code: 'rest_invalid_param', message: 'template is not one of .', data: null };
}
