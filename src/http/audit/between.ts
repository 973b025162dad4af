import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { positionsOf } from '#projections/audit/period.ts';
import { type PublicPage, publicBetween } from '#projections/audit/public.ts';
import { publications } from '#projections/audit/publications.ts';
import type { AuditSource } from './store.ts';

export interface PublicAsked {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly entry?: number | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

/** What was public at any time in a period. */
export async function publicIn(
  { from, to, entry, before = Number.MAX_SAFE_INTEGER, limit }: PublicAsked,
  { store }: AuditSource,
  pause: () => Promise<void>,
): Promise<PublicPage | Refusal> {
  const { reader, log } = store;
  const stretch = positionsOf({ from, to }, { log, zone: reader.site().timezone });
  if (isRefusal(stretch)) return stretch;
  // What is public at the beginning was published before.
  const query = { low: stretch.low - 1, high: stretch.high, before, limit, entry };
  const present = reader.present();
  return publicBetween(query, {
    archive: store,
    publications: await present.following(publications),
    deletedUsers: () => present.deletions.users(),
    pause,
  });
}
