import type { JsonMap, JsonValue } from './ordered-json.ts';

export function valueAt(map: JsonMap, ...path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = map;
  for (const key of path) value = value instanceof Map ? value.get(key) : undefined;
  return value ?? undefined;
}

/** The object at a path; undefined for other values. */
export function mapAt(map: JsonMap, ...path: readonly string[]): JsonMap | undefined {
  const value = valueAt(map, ...path);
  return value instanceof Map ? value : undefined;
}

/** The string at a path; undefined for other values. */
export function textAt(map: JsonMap, ...path: readonly string[]): string | undefined {
  const value = valueAt(map, ...path);
  return typeof value === 'string' ? value : undefined;
}

/** The number at a path, which may be a numeric string; undefined for other values. */
export function numberAt(map: JsonMap, ...path: readonly string[]): number | undefined {
  const value = valueAt(map, ...path);
  const text = typeof value === 'string' ? value : isNumber(value) ? value.number : '';
  return text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text);
}

/** The boolean at a path; undefined for other values. */
export function flagAt(map: JsonMap, ...path: readonly string[]): boolean | undefined {
  const value = valueAt(map, ...path);
  return typeof value === 'boolean' ? value : undefined;
}

export function isNumber(value: JsonValue | undefined): value is { readonly number: string } {
  return typeof value === 'object' && value !== null && 'number' in value;
}

/** Whether a value is truthy in the reference system's sense. */
export function isSet(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === '0') return false;
  if (isNumber(value)) return Number(value.number) !== 0;
  if (value instanceof Map) return value.size > 0;
  return !(Array.isArray(value) && value.length === 0);
}

/** A style value as text; undefined if empty. A zero counts only as a string. */
export function styleText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return isNumber(value) && Number(value.number) !== 0 ? value.number : undefined;
}
