import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Answer } from './types.ts';

export function emptyList(prefix?: string): Answer {
  const headers = prefix === undefined ? {} : { [`${prefix}-Total`]: '0', [`${prefix}-TotalPages`]: '0' };
  return { body: { kind: 'list', records: [] }, headers };
}

export function noSuch(code: string, message: string): () => Refusal {
  const refusal = refuse(code, message);
  return () => refusal;
}
