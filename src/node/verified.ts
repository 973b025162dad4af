import { userInfo } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { readChecked, writeChecked } from './checked-file.ts';

const lastVerify = z.object({
  at: z.iso.datetime(),
  by: z.string(),
  result: z.enum(['ok', 'wrong']),
  /** Head of the verified chain; null if the chain is broken. */
  head: z.object({ position: z.int().min(0), hash: z.string() }).nullable(),
  noted: z.boolean(),
  quick: z.boolean(),
});

/** The last `verify` of a data directory: who ran it, and its result. */
export type LastVerify = z.infer<typeof lastVerify>;

export function readLastVerify(dataDir: string): LastVerify | null {
  return readChecked(pathIn(dataDir), lastVerify).content;
}

/** Does nothing when the directory is read-only: the result has been printed anyway. */
export function writeLastVerify(dataDir: string, found: Omit<LastVerify, 'at' | 'by'>): void {
  try {
    const { head } = found;
    const at = new Date().toISOString();
    const end = head && { position: head.position, hash: head.hash };
    writeChecked(pathIn(dataDir), { at, by: account(), ...found, head: end } satisfies LastVerify);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
  }
}

const pathIn = (dataDir: string) => join(dataDir, 'verified.json');

function account(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container the user may have no name.
    return `uid ${process.getuid?.()}`;
  }
}
