import type { JsonMap, JsonValue } from './ordered-json.ts';

export function valueAt(map: JsonMap, ...path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = map;
  for (const key of path) value = value instanceof Map ? value.get(key) : undefined;
  return value ?? undefined;
}

/** As `valueAt`, of an object. */
export function mapAt(map: JsonMap, ...path: readonly string[]): JsonMap | undefined {
  const value = valueAt(map, ...path);
  return value instanceof Map ? value : undefined;
}

/** As `valueAt`, of a text. */
export function textAt(map: JsonMap, ...path: readonly string[]): string | undefined {
  const value = valueAt(map, ...path);
  return typeof value === 'string' ? value : undefined;
}

/** As `valueAt`, of a number, also of one written as text. */
export function numberAt(map: JsonMap, ...path: readonly string[]): number | undefined {
  const value = valueAt(map, ...path);
  const text = typeof value === 'string' ? value : isNumber(value) ? value.number : '';
  return text.trim() === '' || Number.isNaN(Number(text)) ? undefined : Number(text);
}

/** As `valueAt`, of `true` and `false`. */
export function flagAt(map: JsonMap, ...path: readonly string[]): boolean | undefined {
  const value = valueAt(map, ...path);
  return typeof value === 'boolean' ? value : undefined;
}

export function isNumber(value: JsonValue | undefined): value is { readonly number: string } {
  return typeof value === 'object' && value !== null && 'number' in value;
}

/** Whether a value counts as true where only that is asked. */
export function isSet(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === '0') return false;
  if (isNumber(value)) return Number(value.number) !== 0;
  if (value instanceof Map) return value.size > 0;
  return !(Array.isArray(value) && value.length === 0);
}

/** A value of a style as text; none where there is nothing to write. A bare zero needs quotes to count. */
export function styleText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return isNumber(value) && Number(value.number) !== 0 ? value.number : undefined;
}
