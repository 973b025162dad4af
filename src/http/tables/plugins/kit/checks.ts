import { fault } from '../../../engine/faults.ts';
import type { Fault } from '../../../engine/types.ts';

/** Checks of parameters that the index lists without a type, or not at all. */

/** A number without sign, as a number or in digits. */
export function digits(name: string): (value: unknown) => Fault | null {
  return (value) => (/^\d{1,15}$/.test(String(value)) ? null : fault('rest_invalid_type', `${name} must be digits.`));
}
