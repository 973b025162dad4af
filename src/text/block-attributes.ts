import type { JsonMap, JsonValue } from './ordered-json.ts';

/** Reads the attributes of a block; what is of another type counts as not given. */

export function textAttribute(attributes: JsonMap, name: string, fallback = ''): string {
  const value = attributes.get(name);
  return typeof value === 'string' ? value : fallback;
}

export function numberAttribute(attributes: JsonMap, name: string, fallback: number): number {
  return asNumber(attributes.get(name)) ?? fallback;
}

export function truthAttribute(attributes: JsonMap, name: string, fallback = false): boolean {
  const value = attributes.get(name);
  return typeof value === 'boolean' ? value : fallback;
}

export function mapAttribute(attributes: JsonMap, name: string): JsonMap {
  return asMap(attributes.get(name)) ?? new Map();
}

export function asMap(value: JsonValue | undefined): JsonMap | undefined {
  return value instanceof Map ? value : undefined;
}

/** A number; undefined for anything else. */
export function asNumber(value: JsonValue | undefined): number | undefined {
  if (typeof value !== 'object' || value === null || !('number' in value)) return undefined;
  const number = Number(value.number);
  return Number.isFinite(number) ? number : undefined;
}

/** An id as number or as text; 0 for anything else. */
export function asId(value: JsonValue | undefined): number {
  const id = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : asNumber(value);
  return id !== undefined && Number.isSafeInteger(id) && id > 0 ? id : 0;
}
