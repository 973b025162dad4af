import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { eraseAgain } from '#commands/erasure.ts';
import type { LimitedWrites } from '#commands/write-limit.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Reporter } from '#process/reporter.ts';
import { FileDamaged, readChecked, writeChecked } from '../checked-file.ts';

/** Orders of erasure that are missing from a restored log, because they were given after the time it was restored to. */
export const pendingName = 'owed-erasures.json';

const order = z.object({ stream: z.string(), by: z.int().nullable(), reason: z.string() });
/** Files of earlier releases have streams alone. */
const bare = z.string().transform((stream) => ({ stream, by: null, reason: '' }));
const owedOrders = z.array(z.union([order, bare]));
/** An array alone: as it was written before. */
const owed = z.union([z.object({ orders: owedOrders }), owedOrders.transform((orders) => ({ orders }))]);
const remedy =
  'Orders of erasure may be missing. Give those again that were given after the time to which the log was restored, or restore it once more; then remove the file.';

export type OwedOrder = z.infer<typeof order>;

/** The last order for each stream counts. */
export function writePending(directory: string, given: readonly OwedOrder[]): void {
  const last = new Map(given.map(({ stream, by, reason }) => [stream, { stream, by, reason }]));
  if (last.size > 0) writeChecked(join(directory, pendingName), { orders: [...last.values()] });
}

/** What is wrong with what is owed; null: nothing. */
export function pendingFault({ dataDir }: { readonly dataDir: string }): FileDamaged | null {
  const path = join(dataDir, pendingName);
  const { fault } = readChecked(path, owed);
  return fault === null ? null : new FileDamaged(path, { fault, remedy });
}

export async function orderPending(
  dataDir: string,
  submit: LimitedWrites['submit'],
  reporter: Reporter,
): Promise<void> {
  const path = join(dataDir, pendingName);
  const { content } = readChecked(path, owed);
  if (content === null) return;
  const refused: OwedOrder[] = [];
  for (const one of content.orders) {
    const { stream, by, reason } = one;
    const context = { viewer: null, correlationId: 'restored' };
    const { value } = await submit(context, (session) => eraseAgain(session, stream, { by, reason }));
    if (!isRefusal(value)) continue;
    refused.push(one);
    reporter.warning(
      `an erasure that was ordered later cannot be ordered again yet: ${value.message} Each start tries it again.`,
    );
  }
  if (refused.length === 0) rmSync(path);
  else writeChecked(path, { orders: refused });
}
