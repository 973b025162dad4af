import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKPOINT_KEY, CHECKPOINT_KEYS } from './checkpoint-keys.ts';
import { CHECKPOINTS } from './checkpoints.ts';
import { lastNote } from './note-lines.ts';
import { WITNESSES } from './witnesses.ts';

/** Files with which a restored site goes on signing, besides its log. */
export const carriedFiles = [CHECKPOINTS, CHECKPOINT_KEYS, WITNESSES, CHECKPOINT_KEY] as const;

/** What a backup has of them: of the checkpoints the latest, which the next has to continue. `withKey`: nobody else can read it there. */
export function carriedIn(
  dataDir: string,
  { withKey }: { readonly withKey: boolean },
): Readonly<Record<string, string>> {
  const names = withKey ? carriedFiles : carriedFiles.filter((name) => name !== CHECKPOINT_KEY);
  const found = names.flatMap((name) => {
    const path = join(dataDir, name);
    if (!existsSync(path)) return [];
    const latest = name === CHECKPOINTS ? lastNote(path) : null;
    return [[name, latest === null ? readFileSync(path, 'utf8') : `${JSON.stringify(latest)}\n`] as const];
  });
  return Object.fromEntries(found);
}

export function writeCarried(folder: string, carried: Readonly<Record<string, string>>): void {
  for (const name of carriedFiles) {
    const text = carried[name];
    if (text !== undefined) writeFileSync(join(folder, name), text, { mode: 0o600, flush: true });
  }
}
