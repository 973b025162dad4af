import { z } from 'zod';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Answer } from '../../engine/types.ts';
import type { FieldRecord } from './field.ts';

/** Some endpoints send a map without members as an empty list. */
const emptyListSchema = z.array(z.unknown()).max(0);
export const openMap = z.union([z.record(z.string(), z.unknown()), emptyListSchema]);

export function keyedBy(records: readonly (readonly [string, FieldRecord])[]): Answer {
  const value = Object.fromEntries(records.map(([name, record]) => [name, JSON.parse(record.text()) as unknown]));
  return { body: { kind: 'json', value } };
}

export function emptyList(prefix?: string): Answer {
  const headers = prefix === undefined ? {} : { [`${prefix}-Total`]: '0', [`${prefix}-TotalPages`]: '0' };
  return { body: { kind: 'list', records: [] }, headers };
}

export function noSuch(code: string, message: string): () => Refusal {
  const refusal = refuse(code, message);
  return () => refusal;
}
