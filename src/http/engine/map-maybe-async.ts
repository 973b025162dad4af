import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { resumed } from '#text/suspended.ts';
import type { Answer } from './types.ts';

/** Continues with a value when it is available, at once if it already is; a refusal is returned. */
export function mapMaybeAsync<T>(
  later: T | Refusal | Promise<T | Refusal>,
  use: (value: T) => Answer | Refusal,
): Answer | Refusal | Promise<Answer | Refusal> {
  const go = resumed(use);
  if (later instanceof Promise) return later.then((value) => (isRefusal(value) ? value : go(value)));
  return isRefusal(later) ? later : use(later);
}
