import { membersOf } from '#text/shapes.ts';
import type { Descriptor } from './descriptor.ts';
import { fault, sentenceList } from './faults.ts';
import type { Fault } from './types.ts';

type Validate = (value: unknown, descriptor: Descriptor, place: string) => Fault | null;
type Found = { readonly descriptor: Descriptor } | { readonly fault: Fault };

interface Miss {
  readonly position: number;
  readonly descriptor: Descriptor;
  readonly fault: Fault;
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
