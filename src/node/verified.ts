import { userInfo } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from './json-file.ts';

const lastVerify = z.object({
  at: z.iso.datetime(),
  by: z.string(),
  result: z.enum(['ok', 'wrong']),
  /** Where the chain ended; null where it did not hold. */
  head: z.object({ position: z.int().min(0), hash: z.string() }).nullable(),
  noted: z.boolean(),
  quick: z.boolean(),
});

/** Who ran `verify` last on a data directory, and what it found. */
export type LastVerify = z.infer<typeof lastVerify>;

export function readLastVerify(dataDir: string): LastVerify | null {
  return lastVerify.safeParse(readJsonFile(pathIn(dataDir))).data ?? null;
}

/** Leaves everything as it is where the directory may only be read: what was found has been printed anyway. */
export function writeLastVerify(dataDir: string, found: Omit<LastVerify, 'at' | 'by'>): void {
  try {
    const { head } = found;
    const at = new Date().toISOString();
    const end = head && { position: head.position, hash: head.hash };
    writeJsonFile(pathIn(dataDir), { at, by: account(), ...found, head: end } satisfies LastVerify);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

const pathIn = (dataDir: string) => join(dataDir, 'verified.json');

function account(): string {
  try {
    return userInfo().username;
  } catch {
    // A container's user may have no name.
    return `uid ${process.getuid?.()}`;
  }
}
