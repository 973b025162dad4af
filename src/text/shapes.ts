/**
 * The types a value counts as. The interface comes from a system whose lists and maps are one type and whose parameters are
 * strings: `1,2` is a list, `{"0": 1}` is one too, every list is a map, `' 12 '` and `1e3` are integers.
 */

/** Maximum items of a list whose schema sets no limit. */
export const MAX_ITEMS = 2000;

const NUMERIC = /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[ \t\n\r\v\f]*$/;
const INDEX = /^(?:0|-?[1-9]\d{0,17})$/;
const BETWEEN_ITEMS = /[ \t\n\r\v\f,]+/;
const TRUTHS = new Set(['true', '1']);
const UNTRUTHS = new Set(['false', '0']);

export type Scalar = string | number | boolean;

export function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** Splits a list sent as text at white space and commas, without empty items. One that is too long is cut, but remains too long. */
export function splitList(value: Scalar): string[] {
  if (value === false) return [];
  const items = (value === true ? '1' : String(value)).split(BETWEEN_ITEMS, MAX_ITEMS + 3);
  return items.filter((item) => item !== '');
}

/** The items of a value that counts as a list, else null. */
export function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value;
  if (isScalar(value)) return splitList(value);
  if (!isRecord(value)) return null;
  return Object.keys(value).every((key) => INDEX.test(key)) ? Object.values(value) : null;
}

/** The members of a value that counts as a map, else null. */
export function membersOf(value: unknown): readonly (readonly [string, unknown])[] | null {
  if (value === '') return [];
  return typeof value === 'object' && value !== null ? Object.entries(value) : null;
}

/** The number a value represents, or null. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isNaN(value) ? null : value;
  return typeof value === 'string' && NUMERIC.test(value) ? Number(value) : null;
}

/** The boolean a value represents, or null. */
export function booleanOf(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return value === 0 || value === 1 ? value === 1 : null;
  const word = value.toLowerCase();
  if (TRUTHS.has(word)) return true;
  return UNTRUTHS.has(word) ? false : null;
}

/**
 * Makes a map from a client safe for `String` and `Number`, which would call its members `toString` and `valueOf` and throw.
 * Returns the same object.
 */
export function convertible<T extends object>(map: T): T {
  if (Object.hasOwn(map, 'toString') || Object.hasOwn(map, 'valueOf')) {
    Object.assign(map, { [Symbol.toPrimitive]: () => '[object Object]' });
  }
  return map;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
