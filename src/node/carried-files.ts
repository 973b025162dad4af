import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkedText } from './checked-file.ts';
import { dataFiles } from './data-files.ts';
import { CHECKPOINT_KEY } from './tree/checkpoint-keys.ts';
import { CHECKPOINTS, latestCheckpoint } from './tree/checkpoints.ts';

const carried = dataFiles.filter((file) => file.kind === 'kept').filter(({ isCarried }) => isCarried);

/** Files with which a restored site goes on signing, besides its log. */
export const carriedFiles = carried.map(({ name }) => name);

interface Carrying {
  /** Nobody else can read the place. */
  readonly withKey: boolean;
  /** Called for each file that is damaged, and that an older backup may have as it was. */
  readonly onFault: (message: string) => void;
}

/** What a backup has of them: of the checkpoints the latest, which the next has to continue. */
export function carriedIn(dataDir: string, { withKey, onFault }: Carrying): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const { name, fault } of carried) {
    if (name === CHECKPOINT_KEY && !withKey) continue;
    const found = fault({ dataDir, given: null });
    if (found !== null) onFault(found.message);
    const latest = name === CHECKPOINTS ? latestCheckpoint(dataDir) : null;
    if (latest !== null) texts[name] = `${checkedText(latest)}\n`;
    else if (found === null && existsSync(join(dataDir, name))) texts[name] = readFileSync(join(dataDir, name), 'utf8');
  }
  return texts;
}

export function writeCarried(folder: string, texts: Readonly<Record<string, string>>): void {
  for (const name of carriedFiles) {
    const text = texts[name];
    if (text !== undefined) writeFileSync(join(folder, name), text, { mode: 0o600, flush: true });
  }
}
