import type { Descriptor } from './descriptors.ts';
import type { Fault } from './types.ts';

/** A fault that names the place inside the value (`include[1]`). */
export function wrongType(place: string, types: string | readonly string[]): Fault {
  return fault('rest_invalid_type', `${place} is not of type ${[types].flat().join(',')}.`, { param: place });
}

export function notInEnum(place: string, allowed: readonly unknown[]): Fault {
  const words = allowed.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const [only] = words;
  const message = words.length === 1 ? `${place} is not ${only}.` : `${place} is not one of ${sentenceList(words)}.`;
  return fault('rest_not_in_enum', message);
}

export function outOfBounds(place: string, descriptor: Descriptor): Fault {
  const { minimum, maximum, exclusiveMinimum = false, exclusiveMaximum = false } = descriptor;
  const code = 'rest_out_of_bounds';
  const [orAbove, orBelow] = [exclusiveMinimum ? '' : ' or equal to', exclusiveMaximum ? '' : ' or equal to'];
  if (maximum === undefined) return fault(code, `${place} must be greater than${orAbove} ${minimum}`);
  if (minimum === undefined) return fault(code, `${place} must be less than${orBelow} ${maximum}`);
  const [low, high] = [exclusiveMinimum, exclusiveMaximum].map((isOut) => (isOut ? 'exclusive' : 'inclusive'));
  return fault(code, `${place} must be between ${minimum} (${low}) and ${maximum} (${high})`);
}

export function fault(code: string, message: string, data: unknown = null): Fault {
  return { code, message, data };
}

/** `a`, `a and b`, `a, b, and c`. */
export function sentenceList(words: readonly string[]): string {
  if (words.length < 3) return words.join(' and ');
  return `${words.slice(0, -1).join(', ')}, and ${words.at(-1)}`;
}
