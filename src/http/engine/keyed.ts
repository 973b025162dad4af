import type { FieldRecord } from './field.ts';
import type { Answer } from './types.ts';

export function keyedBy(records: readonly (readonly [string, FieldRecord])[]): Answer {
  const value = Object.fromEntries(records.map(([name, record]) => [name, JSON.parse(record.text()) as unknown]));
  return { body: { kind: 'json', value } };
}
