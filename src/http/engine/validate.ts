import { parseDate } from '#domain/time/local.ts';
import { booleanOf, isScalar, listOf, MAX_ITEMS, membersOf, numberOf } from '#text/shapes.ts';
import type { Descriptor, TypeName } from './descriptors.ts';
import { fault, notInEnum, outOfBounds, wrongType } from './faults.ts';
import { alternativeFor, bestType, coerceScalar, isWhole } from './scalars.ts';
import type { Fault } from './types.ts';

/**
 * Converts a value to its descriptor's type. Never fails: an unchecked value becomes some value of that type, and null the type's
 * empty value (or stays null where that is one of the types).
 */
export function coerce(value: unknown, descriptor: Descriptor): unknown {
  let { type } = descriptor;
  let current = value;
  if (descriptor.oneOf !== undefined) {
    const found = alternativeFor(value, descriptor, { place: '', validate });
    if ('fault' in found) return value;
    type ??= found.descriptor.type;
    current = coerce(value, found.descriptor);
  }
  if (type === undefined) return current;
  const chosen = typeof type === 'string' ? type : bestType(current, type);
  if (chosen === null) return null;
  if (chosen === 'array') return coerceList(current, descriptor);
  if (chosen === 'object') return coerceMap(current, descriptor);
  const scalar = coerceScalar(current, chosen);
  return descriptor.format !== undefined && typeof scalar === 'string' ? scalar.trim() : scalar;
}

function coerceList(value: unknown, { items }: Descriptor): readonly unknown[] {
  const list = listOf(value) ?? [];
  return items === undefined ? list : list.map((item) => coerce(item, items));
}

function coerceMap(value: unknown, { properties, additionalProperties = true }: Descriptor): unknown {
  // A list counts as a map, and remains a list where the descriptor says nothing about members.
  if (Array.isArray(value) && properties === undefined && additionalProperties === true) return value;
  const members: [string, unknown][] = [];
  for (const [name, member] of membersOf(value) ?? []) {
    const property =
      properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (property === false) continue;
    members.push([name, typeof property === 'object' ? coerce(member, property) : member]);
  }
  return Object.fromEntries(members);
}

/** A fault for a list that is too long whatever its items are; else null. */
export function lengthFault(value: unknown, { maxItems = MAX_ITEMS }: Descriptor, place: string): Fault | null {
  const length = Array.isArray(value) ? value.length : 0;
  // In shorter lists the items are checked before their number.
  return length > Math.max(maxItems, MAX_ITEMS) ? tooMany(place, maxItems) : null;
}

type Check = (value: unknown, descriptor: Descriptor, place: string) => Fault | null;

const checks: Readonly<Record<TypeName, Check>> = {
  array: listFault,
  object: mapFault,
  integer: numberFault,
  number: numberFault,
  boolean: (value, _, place) => (booleanOf(value) === null ? wrongType(place, 'boolean') : null),
  string: textFault,
  null: (value, _, place) => (value === null ? null : wrongType(place, 'null')),
};

/**
 * The fault of a value (interface behaviour, section 3); null if it fits its descriptor. `place` is the parameter's name followed
 * by the path inside it: `requests[0][body]`.
 */
export function validate(value: unknown, descriptor: Descriptor, place: string): Fault | null {
  let { type } = descriptor;
  if (descriptor.oneOf !== undefined) {
    const found = alternativeFor(value, descriptor, { place, validate });
    if ('fault' in found) return found.fault;
    type ??= found.descriptor.type;
  }
  if (type === undefined) return null;
  const chosen = typeof type === 'string' ? type : bestType(value, type);
  if (chosen === null) return wrongType(place, type);
  return (
    checks[chosen](value, descriptor, place) ??
    enumFault(value, chosen, { descriptor, place }) ??
    formatFault(value, chosen, descriptor)
  );
}

function listFault(value: unknown, descriptor: Descriptor, place: string): Fault | null {
  const list = listOf(value);
  if (list === null) return wrongType(place, 'array');
  const { items, minItems = 0, maxItems = MAX_ITEMS } = descriptor;
  const tooMuch = lengthFault(list, descriptor, place);
  if (tooMuch !== null) return tooMuch;
  if (items !== undefined) {
    for (const [index, item] of list.entries()) {
      const found = validate(item, items, `${place}[${index}]`);
      if (found !== null) return found;
    }
  }
  if (list.length < minItems) return fault('rest_too_few_items', `${place} must contain at least ${minItems} items.`);
  if (list.length > maxItems) return tooMany(place, maxItems);
  if (descriptor.uniqueItems !== true || new Set(list.map(identity)).size === list.length) return null;
  return fault('rest_duplicate_items', `${place} has duplicate items.`);
}

function tooMany(place: string, max: number): Fault {
  return fault('rest_too_many_items', `${place} must contain at most ${max} items.`);
}

function mapFault(value: unknown, descriptor: Descriptor, place: string): Fault | null {
  const members = membersOf(value);
  if (members === null) return wrongType(place, 'object');
  const { properties = {}, additionalProperties = true } = descriptor;
  for (const [name, property] of Object.entries(properties)) {
    if (property.required !== true || members.some(([sent]) => sent === name)) continue;
    return fault('rest_property_required', `${name} is a required property of ${place}.`);
  }
  for (const [name, member] of members) {
    const property = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (property === false)
      return fault('rest_additional_properties_forbidden', `${name} is not a valid property of Object.`);
    const found = typeof property === 'object' ? validate(member, property, `${place}[${name}]`) : null;
    if (found !== null) return found;
  }
  return null;
}

/** Bounds are checked before wholeness: `per_page=100.5` is out of bounds, `2.5` is not an integer. */
function numberFault(value: unknown, descriptor: Descriptor, place: string): Fault | null {
  const number = numberOf(value);
  const type =
    descriptor.type === 'integer' || descriptor.type === 'number' ? descriptor.type : wholeTypeOf(descriptor);
  if (number === null) return wrongType(place, type);
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = descriptor;
  const isLow = number < minimum || (descriptor.exclusiveMinimum === true && number === minimum);
  const isHigh = number > maximum || (descriptor.exclusiveMaximum === true && number === maximum);
  if (isLow || isHigh) return outOfBounds(place, descriptor);
  return type === 'integer' && !isWhole(number) ? wrongType(place, type) : null;
}

function textFault(value: unknown, descriptor: Descriptor, place: string): Fault | null {
  if (typeof value !== 'string') return wrongType(place, 'string');
  const { minLength, maxLength, pattern } = descriptor;
  if (minLength !== undefined && lengthOf(value) < minLength) {
    return fault('rest_too_short', `${place} must be at least ${minLength} characters long.`);
  }
  if (maxLength !== undefined && lengthOf(value) > maxLength) {
    return fault('rest_too_long', `${place} must be at most ${maxLength} characters long.`);
  }
  if (pattern === undefined || patternOf(pattern).test(value)) return null;
  return fault('rest_invalid_pattern', `${place} does not match pattern ${pattern}.`);
}

/** What comes before and after a match does not matter, and matching it would take time that grows with the square of a text. */
function patternOf(pattern: string): RegExp {
  return new RegExp(pattern.replace(/^\.\*|(?<!\\)\.\*$/g, ''), 'u');
}

/** Compares the coerced value: `"1"` is among `[1, 2]`. */
function enumFault(
  value: unknown,
  type: TypeName,
  { descriptor, place }: { descriptor: Descriptor; place: string },
): Fault | null {
  const allowed = descriptor.enum;
  if (allowed === undefined || allowed.includes(coerceScalar(value, type))) return null;
  return notInEnum(place, allowed);
}

function formatFault(value: unknown, type: TypeName, { format }: Descriptor): Fault | null {
  if (format !== 'date-time' || type !== 'string') return null;
  return typeof value === 'string' && parseDate(value) !== null ? null : fault('rest_invalid_date', 'Invalid date.');
}

function wholeTypeOf({ type }: Descriptor): TypeName {
  return Array.isArray(type) && type.includes('integer') ? 'integer' : 'number';
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function identity(item: unknown): unknown {
  return isScalar(item) || item === null ? item : JSON.stringify(item);
}
