import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { writeHead } from '#eventstore/head-file.ts';
import { openLogReader } from '#eventstore/log-reader.ts';
import { syncFolder } from '#media/disk.ts';
import { writeLastBackup } from '#node/backed-up.ts';
import { namesIn } from './transfer/folder.ts';
import { snapshot } from './transfer/snapshot.ts';
import { completeCopy } from './transfer/whole.ts';
import { defineLocalVerb } from './verb.ts';
import { isWrong } from './verify/check.ts';
import { textOf } from './verify/report.ts';

const backup = defineLocalVerb({
  name: 'backup',
  summary: 'Copies the log and the uploaded files as of now, even while a server writes, and checks the copy.',
  example: 'backup backups/2026-11-20',
  positionals: ['directory'],
  args: z.object({ directory: z.string().min(1).describe('target folder; created if missing, otherwise empty') }),
  here: async ({ config, progress }, { directory }) => {
    const target = resolve(directory);
    if ((await namesIn(target)).length > 0) {
      return { kind: 'refused', code: 'not_empty', message: `${directory} is not empty` };
    }
    const log = join(config.dataDir, 'log.db');
    // Says what is wrong if there is no log; one that is damaged is found in the copy.
    openLogReader(log).close();
    // A whole backup has its name, anything else has another one.
    const part = `${target}.unfinished`;
    await rm(part, { recursive: true, force: true });
    await mkdir(part, { recursive: true, mode: 0o700 });
    try {
      await snapshot(log, join(part, 'log.db'), progress);
      const whole = await completeCopy(part, join(config.dataDir, 'media'), progress);
      const kind = isWrong(whole.checks) ? 'wrong' : 'done';
      const { usable, ...value } = whole;
      if (!usable) return { kind, value, text: `${textOf(whole)}\nThe log does not hold: there is no backup.` };
      for (const suffix of ['-wal', '-shm']) await rm(join(part, `log.db${suffix}`), { force: true });
      if (whole.head !== null) writeHead(join(part, 'log.db'), whole.head);
      await rename(part, target);
      await syncFolder(dirname(target));
      writeLastBackup(config.dataDir, whole.head?.position ?? 0);
      return { kind, value, text: textOf(whole) };
    } finally {
      await rm(part, { recursive: true, force: true });
    }
  },
});

export const backupVerbs = [backup];
