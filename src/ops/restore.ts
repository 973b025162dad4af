import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { writeHead } from '#eventstore/head-file.ts';
import { lockDirectory } from '#eventstore/lock.ts';
import { syncFolder } from '#media/disk.ts';
import { copyFile, namesIn } from './transfer/folder.ts';
import { completeCopy } from './transfer/whole.ts';
import { defineLocalVerb, type Place, UsageError } from './verb.ts';
import { isWrong } from './verify/check.ts';
import { textOf } from './verify/report.ts';

/** Where a restore works until all of it is there. */
const scratch = '.restore';
/** What a restore that was killed can have left: the log comes last. */
const left = [scratch, 'media', 'head', 'log.db-wal'];
/** Not data: the lock and what SQLite keeps beside it. */
const allowed = /^lock\.db/;

const restore = defineLocalVerb({
  name: 'restore',
  summary: 'Copies a backup into an empty data directory, and checks the copy.',
  example: 'restore backups/2026-11-20',
  positionals: ['directory'],
  args: z.object({ directory: z.string().min(1).describe('the backup') }),
  here: async (place, { directory }) => {
    const { dataDir } = place.config;
    if (!existsSync(join(directory, 'log.db'))) throw new UsageError(`there is no backup in ${directory}`);
    const unlock = lockDirectory(dataDir);
    try {
      const present = (await namesIn(dataDir)).filter((name) => !allowed.test(name));
      const isLeft = present.includes(scratch) && present.every((name) => left.includes(name));
      if (present.length > 0 && !isLeft) {
        return { kind: 'refused', code: 'not_empty', message: `${dataDir} is not empty: ${present.join(', ')}` };
      }
      for (const name of present) await rm(join(dataDir, name), { recursive: true });
      return await restoreFrom(directory, place);
    } finally {
      await rm(join(dataDir, scratch), { recursive: true, force: true });
      unlock();
    }
  },
});

export const restoreVerbs = [restore];

async function restoreFrom(directory: string, { config, progress }: Place) {
  const part = join(config.dataDir, scratch);
  await mkdir(join(part, 'media'), { recursive: true, mode: 0o700 });
  // A data directory that was copied while nobody used it is a backup, too.
  const files = ['log.db-wal', 'log.db'].filter((name) => existsSync(join(directory, name)));
  for (const name of files) await copyFile(join(directory, name), join(part, name), progress);
  const whole = await completeCopy(part, join(directory, 'media'), progress);
  const { usable, ...value } = whole;
  const kind = isWrong(whole.checks) ? ('wrong' as const) : ('done' as const);
  if (!usable) return { kind, value, text: `${textOf(whole)}\nThe log does not hold: nothing was restored.` };
  if (whole.head !== null) writeHead(join(part, 'log.db'), whole.head);
  // The log last: where there is one, all of it is there.
  for (const name of ['media', 'head', ...files]) await rename(join(part, name), join(config.dataDir, name));
  await syncFolder(config.dataDir);
  return { kind, value, text: textOf(whole) };
}
