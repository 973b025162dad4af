import { booleanOf, listOf, membersOf, numberOf } from '#text/shapes.ts';
import type { TypeName } from './descriptor.ts';

const fits: Readonly<Record<TypeName, (value: unknown) => boolean>> = {
  array: (value) => listOf(value) !== null,
  object: (value) => membersOf(value) !== null,
  integer: (value) => isWhole(numberOf(value)),
  number: (value) => numberOf(value) !== null,
  boolean: (value) => booleanOf(value) !== null,
  string: (value) => typeof value === 'string',
  null: (value) => value === null,
};

/** The first of several types that fits a value; an empty text counts as a string before it counts as a list or map. */
export function bestType(value: unknown, types: readonly TypeName[]): TypeName | null {
  if (value === '' && types.includes('string')) return 'string';
  return types.find((type) => fits[type](value)) ?? null;
}

/** Converts a value to a scalar type, or to that type's empty value if it has no such meaning. Lists and maps are left as they are. */
export function coerceScalar(value: unknown, type: TypeName): unknown {
  switch (type) {
    case 'integer':
      return toInteger(numberOf(value) ?? 0);
    case 'number':
      return numberOf(value) ?? 0;
    case 'boolean':
      return booleanOf(value) ?? false;
    case 'string':
      return toText(value);
    case 'null':
      return null;
    default:
      return value;
  }
}

export function isWhole(number: number | null): boolean {
  return number !== null && (Number.isInteger(number) || !Number.isFinite(number));
}

function toInteger(number: number): number {
  const whole = Math.trunc(number) || 0;
  return Math.min(Math.max(whole, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value);
}
