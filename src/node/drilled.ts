import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from './json-file.ts';

const lastDrill = z.object({ at: z.iso.datetime(), ok: z.boolean(), position: z.int().min(0) });

export type LastDrill = z.infer<typeof lastDrill>;

export function readLastDrill(dataDir: string): LastDrill | null {
  return lastDrill.safeParse(readJsonFile(pathIn(dataDir))).data ?? null;
}

/** Does nothing without a data directory: a drill can be held on any machine. */
export function writeLastDrill(dataDir: string, found: Omit<LastDrill, 'at'>): void {
  try {
    writeJsonFile(pathIn(dataDir), { at: new Date().toISOString(), ...found } satisfies LastDrill);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

const pathIn = (dataDir: string) => join(dataDir, 'drilled.json');
