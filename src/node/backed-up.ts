import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from './json-file.ts';

const lastBackup = z.object({ at: z.iso.datetime(), position: z.int().min(0) });

export type LastBackup = z.infer<typeof lastBackup>;

export function readLastBackup(dataDir: string): LastBackup | null {
  return lastBackup.safeParse(readJsonFile(pathIn(dataDir))).data ?? null;
}

/** Does nothing when the directory is read-only: the backup is complete anyway. */
export function writeLastBackup(dataDir: string, last: LastBackup): void {
  try {
    writeJsonFile(pathIn(dataDir), last);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

const pathIn = (dataDir: string) => join(dataDir, 'backed-up.json');
