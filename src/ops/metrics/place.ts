import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readLastBackup, readLastDrill } from '#node/last-backup.ts';
import { readLastVerify } from '#node/verified.ts';
import { type Sizes, sizesOf } from '../sizes.ts';

/** A gauge that is read on each scrape: its name without the common prefix, and its help text. */
export type MetricReading = readonly [name: string, help: string, value: () => number | Promise<number>];

/** Milliseconds for which sizes are cached: adding up the uploaded files takes a while. */
const kept = 60_000;

export function placeReadings(dataDir: string): readonly MetricReading[] {
  let found: Promise<Sizes> | null = null;
  let since = 0;
  const sizes = () => {
    if (found === null || performance.now() - since > kept) {
      since = performance.now();
      found = sizesOf(dataDir);
    }
    return found;
  };
  const bytes = (what: keyof Sizes) => async () => (await sizes())[what];
  return [
    ['log_bytes', 'Size of the log on disk.', bytes('log')],
    ['projections_bytes', 'Size of the tables and the search index on disk.', bytes('projections')],
    ['views_bytes', 'Size of the ready answers on disk.', bytes('views')],
    ['media_bytes', 'Size of the uploaded files on disk.', bytes('media')],
    ['disk_free_bytes', 'Free space on the disk of the data directory.', bytes('free')],
    [
      'last_verify_timestamp_seconds',
      'When `verify` was last run here; 0: never.',
      () => secondsOf(readLastVerify(dataDir)?.at),
    ],
    ['last_verify_ok', '1 if it found nothing wrong.', () => Number(readLastVerify(dataDir)?.result === 'ok')],
    [
      'last_backup_timestamp_seconds',
      'When `backup` was last run here; 0: never.',
      () => secondsOf(readLastBackup(dataDir)?.at),
    ],
    [
      'last_drill_timestamp_seconds',
      'When `backup drill` was last run here; 0: never.',
      () => secondsOf(readLastDrill(dataDir)?.at),
    ],
    ['last_drill_ok', '1 if the backup could be restored.', () => Number(readLastDrill(dataDir)?.ok ?? false)],
    [
      'last_checkpoint_timestamp_seconds',
      'When the log was last copied from its write-ahead log into its file.',
      () => (statSync(join(dataDir, 'log.db'), { throwIfNoEntry: false })?.mtimeMs ?? 0) / 1000,
    ],
  ];
}

function secondsOf(at: string | undefined): number {
  return at === undefined ? 0 : Date.parse(at) / 1000;
}
