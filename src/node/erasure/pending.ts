import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { eraseAgain } from '#commands/erasure.ts';
import type { LimitedWrites } from '#commands/write-limit.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Reporter } from '#process/reporter.ts';
import { readJsonFile, writeJsonFile } from '../json-file.ts';

/** Orders of erasure that are missing from a restored log, because they were given after the time it was restored to. */
export const pendingName = 'owed-erasures.json';

const order = z.object({ stream: z.string(), by: z.int().nullable(), reason: z.string() });
/** Files of earlier releases have streams alone. */
const bare = z.string().transform((stream) => ({ stream, by: null, reason: '' }));
const orders = z.array(z.union([order, bare]));

export type OwedOrder = z.infer<typeof order>;

/** The last order for each stream counts. */
export function writePending(directory: string, given: readonly OwedOrder[]): void {
  const owed = new Map(given.map(({ stream, by, reason }) => [stream, { stream, by, reason }]));
  if (owed.size > 0) writeJsonFile(join(directory, pendingName), [...owed.values()]);
}

export async function orderPending(
  dataDir: string,
  submit: LimitedWrites['submit'],
  reporter: Reporter,
): Promise<void> {
  const path = join(dataDir, pendingName);
  const { data: pending } = orders.safeParse(readJsonFile(path));
  if (pending === undefined) return;
  const refused: OwedOrder[] = [];
  for (const owed of pending) {
    const { stream, by, reason } = owed;
    const context = { viewer: null, correlationId: 'restored' };
    const { value } = await submit(context, (session) => eraseAgain(session, stream, { by, reason }));
    if (!isRefusal(value)) continue;
    refused.push(owed);
    reporter.warning(
      `an erasure that was ordered later cannot be ordered again yet: ${value.message} Each start tries it again.`,
    );
  }
  if (refused.length === 0) rmSync(path);
  else writeJsonFile(path, refused);
}
