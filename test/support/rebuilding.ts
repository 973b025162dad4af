import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Rebuilding } from '../../src/node/rebuild/rebuilding.ts';
import type { RebuildEnd, RebuildOptions } from '../../src/node/rebuild/types.ts';
import { found } from './patience.ts';

/** Starts a rebuild and waits until it ends. */
export async function rebuilt(rebuilding: Rebuilding, options: Partial<RebuildOptions> = {}): Promise<RebuildEnd> {
  const begun = rebuilding.start({ projections: [], check: false, ...options });
  if (isRefusal(begun)) throw new Error(begun.code);
  return ended(rebuilding);
}

/** Waits for the running rebuild and returns its outcome. */
export function ended(rebuilding: Rebuilding): Promise<RebuildEnd> {
  return found(() => rebuilding.state.ended);
}
