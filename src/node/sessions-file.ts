import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Reporter } from '#process/reporter.ts';
import { readChecked, writeChecked } from './checked-file.ts';

const record = z.object({
  secret: z.string().min(32),
  ended: z.array(z.tuple([z.string(), z.number()]).readonly()).readonly(),
});

export type SessionsFile = Readonly<z.infer<typeof record>>;

/**
 * Keeps the signing key of sessions on the audit pages. If the file is missing or damaged, all sessions have ended. If it cannot be
 * written, sessions end with the process, which is reported once.
 */
export function openSessionsFile(dataDir: string, reporter: Reporter) {
  const path = join(dataDir, 'sessions.json');
  let warned = false;
  const save = (content: SessionsFile) => {
    try {
      writeChecked(path, content, { isSynced: false });
      warned = false;
    } catch (error) {
      remove(path);
      if (!warned)
        reporter.warning(`${path} cannot be written, so all sessions end with this process: ${messageOf(error)}`);
      warned = true;
    }
  };
  const kept = readChecked(path, record).content;
  const content = kept ?? { secret: randomBytes(32).toString('base64url'), ended: [] };
  if (kept === null) save(content);
  return { record: content, save };
}

/** An old file would revive sessions that have ended. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Nothing can be done on a read-only disk.
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
