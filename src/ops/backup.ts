import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { writeHead } from '#eventstore/head-file.ts';
import { lockDirectory } from '#eventstore/lock.ts';
import { openLogReader } from '#eventstore/sqlite/log-reader.ts';
import { mediaFolder, openMedia } from '#media/open.ts';
import { carriedIn, writeCarried } from '#node/carried-files.ts';
import { guardedTime } from '#node/clock.ts';
import { writeLastBackup } from '#node/last-backup.ts';
import { syncFolder } from '#objects/disk.ts';
import { backUp, lockName } from './backups/back-up.ts';
import { drill } from './backups/drill.ts';
import { type GivenPlace, givenPlace, placeArguments, refusalOf } from './backups/place.ts';
import { lineNumberOf, openRepository } from './backups/repository.ts';
import type { Outcome } from './outcome.ts';
import { tableColumns } from './output.ts';
import { namesIn, snapshot } from './transfer/folder.ts';
import { completeCopy } from './transfer/whole.ts';
import { defineLocalVerb, UsageError, type VerbPlace } from './verb.ts';
import { counted, isWrong, reportText } from './verify/check.ts';

const usualKeep = 14;

const backup = defineLocalVerb({
  name: 'backup',
  summary:
    'Copies the log and the uploaded files as of now, even while a server writes: into a folder as they are, or with --to as one more backup of a row that shares what did not change.',
  example: 'backup --to s3://bucket/backups',
  positionals: ['directory'],
  args: z.object({
    directory: placeArguments.directory.describe('target folder; created if missing, otherwise empty'),
    to: placeArguments.to,
  }),
  here: async (place, { directory, to }) => {
    if (directory !== undefined && to !== undefined) throw new UsageError('a folder and --to exclude each other');
    return directory === undefined ? addTo(place, { from: to }) : copyInto(directory, place);
  },
});

const drillVerb = defineLocalVerb({
  name: 'backup drill',
  summary: 'Restores what `restore` would into a temporary folder, verifies all of it, and removes the folder.',
  example: 'backup drill --from s3://bucket/backups',
  args: z.object({ from: placeArguments.from }),
  here: async (place, given) => {
    const at = givenPlace(place.config, given);
    return drill(at, place).catch(refusalOf);
  },
});

const list = defineLocalVerb({
  name: 'backup list',
  summary: 'Lists the backups in a place, line by line of its histories, the newest last.',
  example: 'backup list --from s3://bucket/backups',
  args: z.object({ from: placeArguments.from }),
  here: async ({ config }, given) => {
    const repository = await openRepository(givenPlace(config, given));
    try {
      const all = [];
      for (const key of await repository.keys()) all.push(await repository.read(key));
      const value = all.map(({ key, at, line, position, hash, segments }) => {
        const bytes = segments.reduce((sum, one) => sum + one.bytes, 0);
        return { name: key.split('/').pop(), at, line: lineNumberOf(line), position, hash, bytes };
      });
      const rows = value.map(({ name = '', at, line, position, bytes }) => {
        return [name, at, String(line), String(position), `${(bytes / 2 ** 20).toFixed(1)} MiB`];
      });
      const head = ['name', 'time', 'line', 'position', 'log, uncompressed'];
      const text = rows.length === 0 ? 'There are no backups.' : tableColumns([head, ...rows]).join('\n');
      return { kind: 'done', value, text };
    } catch (error) {
      return refusalOf(error);
    } finally {
      repository.close();
    }
  },
});

export const backupVerbs = [drillVerb, list, backup];

async function addTo({ config, progress }: VerbPlace, given: GivenPlace): Promise<Outcome> {
  const at = givenPlace(config, given);
  openLogReader(join(config.dataDir, 'log.db')).close();
  const unlock = lockDirectory(join(config.dataDir, lockName));
  const repository = await openRepository(at);
  try {
    const keep = config.backups?.keep ?? usualKeep;
    const value = await backUp({ repository, config, keep, progress, now: () => guardedTime(config) });
    if (value === null) return { kind: 'done', value, text: 'The log is empty: there is nothing to back up.' };
    const { key, position, events, files, findings } = value;
    const [name] = key.split('/').slice(-1);
    const made = `Backup ${name} in ${at.address}: up to position ${position}; new in it ${counted(events, 'events')} and ${counted(files, 'files')}.`;
    return { kind: findings.length > 0 ? 'wrong' : 'done', value, text: [made, ...findings].join('\n') };
  } catch (error) {
    return refusalOf(error);
  } finally {
    repository.close();
    unlock();
  }
}

async function copyInto(directory: string, { config, progress }: VerbPlace): Promise<Outcome> {
  const target = resolve(directory);
  if ((await namesIn(target)).length > 0) {
    return { kind: 'refused', code: 'not_empty', message: `${directory} is not empty` };
  }
  const log = join(config.dataDir, 'log.db');
  // Throws if there is no log; damage is detected in the copy.
  openLogReader(log).close();
  const media = await openMedia(config);
  // Only a complete backup gets the final name.
  const part = `${target}.unfinished`;
  await rm(part, { recursive: true, force: true });
  await mkdir(part, { recursive: true, mode: 0o700 });
  try {
    // Before the log, which then has all that is signed.
    const faults: string[] = [];
    const onFault = (message: string) => void faults.push(message);
    writeCarried(part, carriedIn(config.dataDir, { withKey: true, onFault }));
    await snapshot(log, join(part, 'log.db'), progress);
    const whole = await completeCopy(part, { from: media, to: mediaFolder(part) }, progress);
    const kind = isWrong(whole.checks) || faults.length > 0 ? 'wrong' : 'done';
    const { usable, ...value } = whole;
    if (!usable) return { kind, value, text: `${reportText(whole)}\nThe log does not hold: there is no backup.` };
    for (const suffix of ['-wal', '-shm']) await rm(join(part, `log.db${suffix}`), { force: true });
    if (whole.head !== null) writeHead(join(part, 'log.db'), whole.head);
    await rename(part, target);
    await syncFolder(dirname(target));
    writeLastBackup(config.dataDir, { at: guardedTime(config).toISOString(), position: whole.head?.position ?? 0 });
    return { kind, value: { ...value, faults }, text: [reportText(whole), ...faults].join('\n') };
  } finally {
    await rm(part, { recursive: true, force: true });
  }
}
