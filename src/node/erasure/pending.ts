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

const streams = z.array(z.string());

export function writePending(directory: string, orders: readonly { readonly stream: string }[]): void {
  if (orders.length > 0) writeJsonFile(join(directory, pendingName), [...new Set(orders.map(({ stream }) => stream))]);
}

export async function orderPending(
  dataDir: string,
  submit: LimitedWrites['submit'],
  reporter: Reporter,
): Promise<void> {
  const path = join(dataDir, pendingName);
  const { data: pending } = streams.safeParse(readJsonFile(path));
  if (pending === undefined) return;
  const refused: string[] = [];
  for (const stream of pending) {
    const context = { viewer: null, correlationId: 'restored' };
    const { value } = await submit(context, (session) => eraseAgain(session, stream));
    if (!isRefusal(value)) continue;
    refused.push(stream);
    reporter.warning(
      `an erasure that was ordered later cannot be ordered again yet: ${value.message} Each start tries it again.`,
    );
  }
  if (refused.length === 0) rmSync(path);
  else writeJsonFile(path, refused);
}
