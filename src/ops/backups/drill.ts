import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeLastDrill } from '#node/last-backup.ts';
import { openFolder } from '#objects/folder.ts';
import type { ObjectStore } from '#objects/port.ts';
import type { Outcome } from '../outcome.ts';
import { completeCopy } from '../transfer/whole.ts';
import type { VerbPlace } from '../verb.ts';
import { isWrong, reportText } from '../verify/check.ts';
import { fetchLog } from './fetch.ts';
import { isFinding } from './place.ts';
import { type BackupPlace, openRepository } from './repository.ts';

/** Restores what `restore` would restore into a temporary folder, checks it, and records the result. */
export async function drill(at: BackupPlace, { config, progress }: VerbPlace): Promise<Outcome> {
  const keep = (ok: boolean, position: number) => writeLastDrill(config.dataDir, { ok, position });
  const part = await mkdtemp(join(tmpdir(), 'palimpsest-drill-'));
  const repository = await openRepository(at);
  try {
    const path = join(part, 'log.db');
    const { head, manifest, missing, top } = await fetchLog({ repository, path, progress, isPartial: true });
    const whole = await completeCopy(part, { from: repository.media, to: readOnly(part) }, progress);
    const { usable, ...value } = whole;
    const isHead = whole.head?.position === head.position && whole.head.hash === head.hash;
    const ok = usable && isHead && missing === null && !isWrong(whole.checks);
    keep(ok, head.position);
    const behind = Math.max(0, top - head.position);
    const gap = missing === null ? '' : `\n${missing}; it could be restored ${behind} positions behind that.`;
    const end = `The backup of ${manifest.at}, with what was shipped up to position ${head.position},`;
    const text = `${reportText(whole)}${gap}\n${end} ${ok ? 'can be restored' : 'cannot be restored as it was'}.`;
    const about = { backup: manifest.key, at: manifest.at, line: manifest.line, behind, missing };
    return { kind: ok ? 'done' : 'wrong', value: { ...value, ...about }, text };
  } catch (error) {
    // What could not be looked at says nothing about the backup.
    if (isFinding(error)) keep(false, 0);
    throw error;
  } finally {
    repository.close();
    await rm(part, { recursive: true, force: true });
  }
}

/** A store that discards files after reading them to their end, where their hashes are checked. */
function readOnly(folder: string): ObjectStore {
  return {
    ...openFolder(folder),
    head: async () => null,
    async put(_, source) {
      for await (const _piece of source);
    },
  };
}
