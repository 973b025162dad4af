import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeLastDrill } from '#node/drilled.ts';
import { openFolder } from '#objects/folder.ts';
import type { ObjectStore } from '#objects/port.ts';
import type { Outcome } from '../outcome.ts';
import { completeCopy } from '../transfer/whole.ts';
import type { Place } from '../verb.ts';
import { isWrong } from '../verify/check.ts';
import { textOf } from '../verify/report.ts';
import { fetchLog } from './fetch.ts';
import { type BackupPlace, openRepository } from './repository.ts';

/** Restores the newest backup into a temporary folder, checks it, and records the result. */
export async function drill(at: BackupPlace, { config, progress }: Place): Promise<Outcome> {
  const keep = (ok: boolean, position: number) => writeLastDrill(config.dataDir, { ok, position });
  const part = await mkdtemp(join(tmpdir(), 'palimpsest-drill-'));
  const repository = await openRepository(at);
  try {
    const { head, manifest } = await fetchLog({ repository, path: join(part, 'log.db'), progress });
    const whole = await completeCopy(part, { from: repository.media, to: readOnly(part) }, progress);
    const { usable, ...value } = whole;
    const isHead = whole.head?.position === head.position && whole.head.hash === head.hash;
    const ok = usable && isHead && !isWrong(whole.checks);
    keep(ok, head.position);
    const text = `${textOf(whole)}\nThe backup of ${manifest.at} ${ok ? 'can be restored' : 'cannot be restored as it was'}.`;
    return { kind: ok ? 'done' : 'wrong', value: { ...value, backup: manifest.key, at: manifest.at }, text };
  } catch (error) {
    keep(false, 0);
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
