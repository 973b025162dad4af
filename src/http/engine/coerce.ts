import { listOf, membersOf } from '#text/shapes.ts';
import type { Descriptor } from './descriptors.ts';
import { alternativeFor, bestType, coerceScalar } from './scalars.ts';
import { validate } from './validate.ts';

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
