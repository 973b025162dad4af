import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Answer } from './types.ts';

/** Routes about things of which there are none. */

/** A list of nothing. */
export function emptyList(prefix?: string): Answer {
  const headers = prefix === undefined ? {} : { [`${prefix}-Total`]: '0', [`${prefix}-TotalPages`]: '0' };
  return { body: { kind: 'list', records: [] }, headers };
}

/** The refusal of every item. */
export function noSuch(code: string, message: string): () => Refusal {
  const refusal = refuse(code, message);
  return () => refusal;
}
