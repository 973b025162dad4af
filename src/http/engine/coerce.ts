import { alternativeFor } from './alternatives.ts';
import type { Descriptor } from './descriptor.ts';
import { bestType, coerceScalar } from './scalars.ts';
import { listOf, membersOf } from './shapes.ts';
import { validate } from './validate.ts';

/**
 * The value in its descriptor's type. Total: what was never checked becomes something of that type as well, and
 * null becomes the type's empty value (null itself where null is one of the types).
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
  // A list is a map, too, and stays one where nothing is said about members.
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
