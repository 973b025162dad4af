import { existsSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { readHead } from '#eventstore/head-file.ts';
import { LogUnavailable } from '#eventstore/port.ts';
import type { Reporter } from '#process/reporter.ts';
import { type FileDamaged, placeFault, readChecked } from './checked-file.ts';
import { pendingFault, pendingName } from './erasure/pending.ts';
import { asideOf } from './rebuildable-file.ts';
import { CHECKPOINT_KEY, CHECKPOINT_KEYS, type KeyPlace, keyFault, successionsFault } from './tree/checkpoint-keys.ts';
import { CHECKPOINTS, checkpointsFault, latestCheckpoint, stampsFault, TIMESTAMPS } from './tree/checkpoints.ts';
import { WITNESSES, witnessesFault } from './tree/witnesses.ts';

interface Named {
  readonly name: string;
  readonly isFolder?: true;
  /** SQLite keeps two files beside it. */
  readonly isDatabase?: true;
  /** Has a file with its checksum beside it while it is closed. */
  readonly isSealed?: true;
}

/**
 * A file or folder of a data directory. `log`: what a site consists of; without it there is no start. `kept`: it cannot be made again, so that
 * what is damaged is named, and what it is for stops. `derived`: it follows from the log, or can be done without; a damaged one is moved aside
 * and begun again. `passing`: it means nothing once the process is gone that made it.
 */
export type DataFile =
  | (Named & { readonly kind: 'log' | 'passing' })
  | (Named & {
      readonly kind: 'kept';
      readonly fault: (place: KeyPlace) => FileDamaged | null;
      /** Whether backups have it beside the log. */
      readonly isCarried?: true;
    })
  | (Named & {
      readonly kind: 'derived';
      /** What is wrong with it; null: nothing. Absent: whoever reads it finds that out. */
      readonly fault?: (dataDir: string) => string | null;
    });

const note = (name: string) => ({
  name,
  kind: 'derived' as const,
  fault: (dataDir: string) => readChecked(join(dataDir, name), z.object({})).fault,
});

/** All that can be in a data directory. */
export const dataFiles: readonly DataFile[] = [
  { name: 'log.db', kind: 'log', isDatabase: true },
  { name: 'media', kind: 'log', isFolder: true },
  { name: 'shared-log', kind: 'log' },
  { name: pendingName, kind: 'kept', fault: pendingFault },
  {
    name: CHECKPOINT_KEY,
    kind: 'kept',
    isCarried: true,
    fault: (place) => keyFault(place, latestCheckpoint(place.dataDir)?.note ?? null),
  },
  { name: CHECKPOINT_KEYS, kind: 'kept', isCarried: true, fault: successionsFault },
  { name: CHECKPOINTS, kind: 'kept', isCarried: true, fault: checkpointsFault },
  { name: WITNESSES, kind: 'kept', isCarried: true, fault: witnessesFault },
  { name: TIMESTAMPS, kind: 'kept', isFolder: true, fault: stampsFault },
  { name: 'head', kind: 'derived', fault: headFault },
  { name: 'projections.db', kind: 'derived', isDatabase: true, isSealed: true },
  { name: 'projections.db-search', kind: 'derived', isFolder: true },
  { name: 'projections.db-lists', kind: 'derived' },
  { name: 'views', kind: 'derived', isFolder: true },
  { name: 'images', kind: 'derived', isFolder: true },
  { name: 'rebuild', kind: 'derived', isFolder: true },
  { name: 'prepared', kind: 'derived', isFolder: true },
  { name: 'tree.db', kind: 'derived', isDatabase: true },
  { name: 'node.db', kind: 'derived', isDatabase: true },
  { name: 'words.db', kind: 'derived', isDatabase: true, isSealed: true },
  note('verified.json'),
  note('backed-up.json'),
  note('drilled.json'),
  note('sessions.json'),
  note('clock.json'),
  note('erased.json'),
  { name: 'backing-up', kind: 'passing', isFolder: true },
  { name: 'migrating', kind: 'passing', isFolder: true },
  { name: 'lock.db', kind: 'passing', isDatabase: true },
  { name: 'control.sock', kind: 'passing' },
];

/** Finds what a start cannot use. Moves aside what is derived; throws `LogUnavailable` for what the site consists of. */
export function prepareDataFiles(dataDir: string, reporter: Reporter): void {
  for (const file of dataFiles) if (file.kind === 'log') requirePlaces(dataDir, file);
  // Without a log, other files are evidence that there was one.
  if (!existsSync(join(dataDir, 'log.db'))) return;
  for (const file of dataFiles) {
    if (file.kind !== 'derived') continue;
    for (const path of pathsOf(dataDir, file)) moveAsideIf(placeFault(path, file.isFolder), path, reporter);
    moveAsideIf(file.fault?.(dataDir) ?? null, join(dataDir, file.name), reporter);
  }
}

function moveAsideIf(fault: string | null, path: string, reporter: Reporter): void {
  if (fault === null) return;
  try {
    const aside = asideOf(path);
    renameSync(path, aside);
    reporter.warning(`${path} is not what it should be (${fault}); it is ${aside} now`);
  } catch (error) {
    reporter.warning(`${path} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What is wrong with files that cannot be made again. */
export function keptFaults(place: KeyPlace): readonly FileDamaged[] {
  return dataFiles.flatMap((file) => (file.kind === 'kept' ? (file.fault(place) ?? []) : []));
}

function requirePlaces(dataDir: string, file: Named): void {
  for (const path of pathsOf(dataDir, file)) {
    const fault = placeFault(path, file.isFolder);
    if (fault !== null)
      throw new LogUnavailable(
        `${path} cannot be used: ${fault}. Put ${basename(path)} back as it was, or move it away`,
      );
  }
}

function pathsOf(dataDir: string, { name, isDatabase }: Named): readonly string[] {
  const path = join(dataDir, name);
  return isDatabase ? [path, `${path}-wal`, `${path}-shm`] : [path];
}

function headFault(dataDir: string): string | null {
  return existsSync(join(dataDir, 'head')) && readHead(join(dataDir, 'log.db')) === null
    ? 'none of its lines is what was written: positions that are missing at the end of the log would not be noticed'
    : null;
}
