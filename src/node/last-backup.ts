import { join } from 'node:path';
import { z } from 'zod';
import { readChecked, writeChecked } from './checked-file.ts';

export type LastBackup = z.infer<typeof lastBackup>;
export type LastDrill = z.infer<typeof lastDrill>;

const lastBackup = z.object({ at: z.iso.datetime(), position: z.int().min(0) });
const lastDrill = z.object({ at: z.iso.datetime(), ok: z.boolean(), position: z.int().min(0) });

export function readLastBackup(dataDir: string): LastBackup | null {
  return readChecked(backupPath(dataDir), lastBackup).content;
}

/** Does nothing when the directory is read-only: the backup is complete anyway. */
export function writeLastBackup(dataDir: string, last: LastBackup): void {
  try {
    writeChecked(backupPath(dataDir), last);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

const backupPath = (dataDir: string) => join(dataDir, 'backed-up.json');

export function readLastDrill(dataDir: string): LastDrill | null {
  return readChecked(drillPath(dataDir), lastDrill).content;
}

/** Does nothing without a data directory: a drill can be held on any machine. */
export function writeLastDrill(dataDir: string, found: Omit<LastDrill, 'at'>): void {
  try {
    writeChecked(drillPath(dataDir), { at: new Date().toISOString(), ...found } satisfies LastDrill);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

const drillPath = (dataDir: string) => join(dataDir, 'drilled.json');
