import { booleanOf, listOf, membersOf, numberOf } from '#text/shapes.ts';
import type { Descriptor, TypeName } from './descriptors.ts';
import { fault, sentenceList } from './faults.ts';
import type { Fault } from './types.ts';

type Validate = (value: unknown, descriptor: Descriptor, place: string) => Fault | null;
type Found = { readonly descriptor: Descriptor } | { readonly fault: Fault };

interface Miss {
  readonly position: number;
  readonly descriptor: Descriptor;
  readonly fault: Fault;
}

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

/** The only alternative of a `oneOf` that fits a value, or a fault if none or several do. */
export function alternativeFor(
  value: unknown,
  { oneOf = [], type }: Descriptor,
  { place, validate }: { readonly place: string; readonly validate: Validate },
): Found {
  const hits: { readonly position: number; readonly descriptor: Descriptor }[] = [];
  const misses: Miss[] = [];
  for (const [position, alternative] of oneOf.entries()) {
    const descriptor = alternative.type === undefined && type !== undefined ? { ...alternative, type } : alternative;
    const found = validate(value, descriptor, place);
    if (found === null) hits.push({ position, descriptor });
    else misses.push({ position, descriptor, fault: found });
  }
  const [hit, ...more] = hits;
  if (hit === undefined) return { fault: noMatch(value, place, misses) };
  if (more.length === 0) return { descriptor: hit.descriptor };
  const what = titles(hits) ?? 'more than one of the expected formats';
  const message = `${place} matches ${what}, but should match only one.`;
  return { fault: fault('rest_one_of_multiple_matches', message, { positions: hits.map(({ position }) => position) }) };
}

/** Takes the reason from the nearest alternative: the one whose type fits or, among several, the one with the most known members. */
function noMatch(value: unknown, place: string, misses: readonly Miss[]): Fault {
  const near = misses.length === 1 ? misses : misses.filter((miss) => !isOfOtherType(miss, place));
  const nearest = near.length > 1 ? mostMembers(value, near) : near[0];
  if (nearest === undefined) {
    const what = titles(misses);
    return fault(
      'rest_no_matching_schema',
      what === null ? `${place} does not match any of the expected formats.` : `${place} is not a valid ${what}.`,
    );
  }
  const { position, descriptor } = nearest;
  const what =
    descriptor.title === undefined ? 'does not match the expected format' : `is not a valid ${descriptor.title}`;
  return fault('rest_no_matching_schema', `${place} ${what}. Reason: ${nearest.fault.message}`, { position });
}

function isOfOtherType({ fault: { code, data } }: Miss, place: string): boolean {
  return code === 'rest_invalid_type' && (data as { readonly param?: unknown }).param === place;
}

function mostMembers(value: unknown, misses: readonly Miss[]): Miss | undefined {
  const members = membersOf(value) ?? [];
  let best: Miss | undefined;
  let max = 0;
  for (const miss of misses) {
    const { properties = {} } = miss.descriptor;
    const known = members.filter(([name]) => Object.hasOwn(properties, name)).length;
    if (known > max) [best, max] = [miss, known];
  }
  return best;
}

function titles(found: readonly { readonly descriptor: Descriptor }[]): string | null {
  const words = found.flatMap(({ descriptor }) => (descriptor.title === undefined ? [] : [descriptor.title]));
  return words.length === found.length ? sentenceList(words) : null;
}
