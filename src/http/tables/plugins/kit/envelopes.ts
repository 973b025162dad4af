import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Answer } from '../../../engine/types.ts';

const FRESH = { 'Cache-Control': 'no-cache' };

/** The bare value, which nobody may cache. */
export function fresh(value: unknown): Answer {
  return { body: { kind: 'json', value }, headers: FRESH };
}

/** `{"data": value}`. */
export function data(value: unknown): Answer {
  return fresh({ data: value });
}

/** Refuses a request whose successful response is `data`, with an error per field. */
export function invalidData(errors: Readonly<Record<string, string>>): Refusal {
  return refuse('data_invalid', 'The data that was sent is not valid.', { errors });
}
