import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import type { Later } from '#projections/later.ts';
import { resumed } from '#text/elsewhere.ts';
import type { Answer } from '../../engine/types.ts';

/** Goes on with a value once it is there, at once if it is; a refusal is the answer. */
export function whenThere<T>(
  later: Later<T>,
  use: (value: T) => Answer | Refusal,
): Answer | Refusal | Promise<Answer | Refusal> {
  const go = resumed(use);
  if (later instanceof Promise) return later.then((value) => (isRefusal(value) ? value : go(value)));
  return isRefusal(later) ? later : use(later);
}
