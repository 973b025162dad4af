import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const record = z.object({
  secret: z.string().min(32),
  ended: z.array(z.tuple([z.string(), z.number()]).readonly()).readonly(),
});

export type SessionsFile = Readonly<z.infer<typeof record>>;

/** Keeps what log-ins at the audit pages are signed with. Without the file, or with a damaged one, all have ended. */
export function openSessionsFile(dataDir: string) {
  const path = join(dataDir, 'sessions.json');
  const save = (content: SessionsFile) => {
    writeFileSync(`${path}.new`, JSON.stringify(content), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  };
  const kept = readIn(path);
  const content = kept ?? { secret: randomBytes(32).toString('base64url'), ended: [] };
  if (kept === null) save(content);
  return { record: content, save };
}

function readIn(path: string): SessionsFile | null {
  try {
    return record.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}
