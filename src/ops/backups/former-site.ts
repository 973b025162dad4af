import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LogDamaged } from '#eventstore/port.ts';
import type { Config } from '../../config.ts';
import { openRepository } from './repository.ts';

/**
 * Throws `LogDamaged` when a site would begin in a folder without a log, although `BACKUP_TO` has backups of one: the folder was removed, or
 * is not the one that it was.
 */
export async function refuseToBeginAgain({ dataDir, backups, backupKey: key, eventStoreUrl }: Config): Promise<void> {
  if (backups === null || eventStoreUrl !== null || existsSync(join(dataDir, 'log.db'))) return;
  const repository = await openRepository({ address: backups.to, key }).catch(() => null);
  const newest = await repository?.newest().catch(() => null);
  repository?.close();
  if (newest === null || newest === undefined) return;
  throw new LogDamaged(
    `There is no event log in ${dataDir}, but ${backups.to} has backups of a site, the newest of ${newest.at}, position ` +
      `${newest.position}. Bring the folder back, or restore the site: \`restore --from ${backups.to}\`. ` +
      'For a new site, set BACKUP_TO to another place',
    1,
  );
}
