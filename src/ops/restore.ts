import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readHead, writeHead } from '#eventstore/head-file.ts';
import { lockDirectory } from '#eventstore/lock.ts';
import { type Head, LogUnavailable } from '#eventstore/port.ts';
import { openLogReader } from '#eventstore/sqlite/log-reader.ts';
import { mediaFolder, openMedia } from '#media/open.ts';
import { carriedFiles, writeCarried } from '#node/carried-files.ts';
import { type OwedOrder, pendingName, writePending } from '#node/erasure/pending.ts';
import { syncFolder } from '#objects/disk.ts';
import type { ObjectStore } from '#objects/port.ts';
import { fetchLog } from './backups/fetch.ts';
import { type GivenPlace, givenPlace, placeArguments, refusalOf } from './backups/place.ts';
import { NoBackup, openRepository } from './backups/repository.ts';
import type { Outcome } from './outcome.ts';
import { copyFile, namesIn } from './transfer/folder.ts';
import { completeCopy } from './transfer/whole.ts';
import { defineLocalVerb, UsageError, type VerbPlace } from './verb.ts';
import { isWrong, reportText } from './verify/check.ts';

/** Working folder of a restore until it is complete. */
const scratch = '.restore';
/** What a killed restore may have left behind: everything but `log.db`, which is moved last. */
const left: readonly string[] = [scratch, 'media', 'head', pendingName, ...carriedFiles, 'log.db-wal'];
/** Not data: the lock and the files that SQLite keeps beside it. */
const allowed = /^(?:lock\.db|drilled\.json$|lost\+found$)/;

const restore = defineLocalVerb({
  name: 'restore',
  summary: 'Restores a backup into an empty data directory, and checks it.',
  example: 'restore --from s3://bucket/backups --at 2026-11-20T12:00:00Z',
  positionals: ['directory'],
  args: z.object({
    directory: placeArguments.directory.describe('a folder that `backup <directory>` made'),
    from: placeArguments.from,
    at: z.iso
      .datetime({ offset: true, error: 'is not a time such as 2026-11-20T12:00:00Z' })
      .optional()
      .describe('time up to which the log is restored; only with backups of --from'),
    position: z.coerce
      .number()
      .int()
      .min(1)
      .optional()
      .describe('position up to which the log is restored; only with backups of --from'),
    backup: z.string().min(1).optional().describe('name of an older backup, as `backup list` has it'),
  }),
  here: async (place, { directory, ...wanted }) => {
    const source = directory === undefined ? fromRepository(place, wanted) : fromDirectory(place, directory);
    if (directory !== undefined && Object.values(wanted).some((value) => value !== undefined)) {
      throw new UsageError('a folder of `backup <directory>` goes without --from, --at, --position and --backup');
    }
    const { dataDir } = place.config;
    const unlock = lockDirectory(dataDir);
    let outcome: Outcome;
    try {
      const present = (await namesIn(dataDir)).filter((name) => !allowed.test(name));
      const isLeft = present.includes(scratch) && present.every((name) => left.includes(name));
      if (present.length > 0 && !isLeft) {
        return { kind: 'refused', code: 'not_empty', message: `${dataDir} is not empty: ${present.join(', ')}` };
      }
      for (const name of present) await rm(join(dataDir, name), { recursive: true });
      outcome = await restoreFrom(source, place);
    } catch (error) {
      return refusalOf(error);
    } finally {
      await rm(join(dataDir, scratch), { recursive: true, force: true });
      unlock();
    }
    const owed = join(dataDir, pendingName);
    if (existsSync(owed)) await eraseOwed(place);
    if (outcome.kind !== 'done' || !existsSync(owed)) return outcome;
    return {
      ...outcome,
      kind: 'wrong',
      text: `${outcome.text}\nAn erasure that was ordered later is still owed: ${owed}`,
    };
  },
});

export const restoreVerbs = [restore];

interface Source {
  /** Copies the files of the log into a folder. Returns the erasure orders that the restored log lacks. */
  readonly fetch: (part: string) => Promise<readonly OwedOrder[]>;
  readonly media: () => ObjectStore;
  readonly close: () => void;
}

function fromDirectory({ progress }: VerbPlace, directory: string): () => Promise<Source> {
  if (!existsSync(join(directory, 'log.db'))) throw new LogUnavailable(`there is no backup in ${directory}`);
  // A copy of an unused data directory is a backup, too.
  const files = ['log.db-wal', 'log.db', ...carriedFiles].filter((name) => existsSync(join(directory, name)));
  return async () => ({
    async fetch(part) {
      for (const name of files) await copyFile(join(directory, name), join(part, name), progress);
      requireWhole(directory, part);
      return [];
    },
    media: () => mediaFolder(directory),
    close: () => undefined,
  });
}

/** A copy whose write-ahead log is missing or damaged ends earlier than the head file beside it says. */
function requireWhole(directory: string, part: string): void {
  const noted = readHead(join(directory, 'log.db'))?.position ?? 0;
  const log = openLogReader(join(part, 'log.db'));
  const { top } = log;
  log.close();
  if (top >= noted) return;
  throw new NoBackup(
    `the log in ${directory} ends at position ${top}, but its file head says ${noted}: is log.db-wal missing? Without the file head it is restored as it is`,
  );
}

interface Wanted extends GivenPlace {
  readonly at?: string | undefined;
  readonly position?: number | undefined;
  readonly backup?: string | undefined;
}

function fromRepository(
  { config, progress }: VerbPlace,
  { from, at: until, position, backup }: Wanted,
): () => Promise<Source> {
  const place = givenPlace(config, { from });
  return async () => {
    const repository = await openRepository(place);
    return {
      async fetch(part) {
        const path = join(part, 'log.db');
        const { orders, manifest } = await fetchLog({ repository, backup, until, position, path, progress });
        writeCarried(part, manifest.carried ?? {});
        return orders;
      },
      media: () => repository.media,
      close: repository.close,
    };
  };
}

async function restoreFrom(open: () => Promise<Source>, { config, progress }: VerbPlace): Promise<Outcome> {
  const part = join(config.dataDir, scratch);
  await mkdir(join(part, 'media'), { recursive: true, mode: 0o700 });
  // A bucket can take files one by one, since each is stored under its own hash.
  const to = config.mediaUrl === null ? mediaFolder(part) : await openMedia(config);
  const source = await open();
  try {
    const pending = await source.fetch(part);
    const whole = await completeCopy(part, { from: source.media(), to, pending }, progress);
    const { usable, ...value } = whole;
    const kind = isWrong(whole.checks) ? ('wrong' as const) : ('done' as const);
    if (!usable) return { kind, value, text: `${reportText(whole)}\nThe log does not hold: nothing was restored.` };
    if (whole.head !== null) writeHead(join(part, 'log.db'), whole.head);
    writePending(part, pending);
    // The log last: its presence means that everything is present.
    for (const name of ['media', 'head', pendingName, ...carriedFiles, 'log.db-wal', 'log.db']) {
      if (existsSync(join(part, name))) await rename(join(part, name), join(config.dataDir, name));
    }
    await syncFolder(config.dataDir);
    const restored = `Restored up to ${momentOf(whole.head)} into ${config.dataDir}. Start it with DATA_DIR=${config.dataDir}.`;
    return { kind, value, text: `${reportText(whole)}\n${restored}` };
  } finally {
    source.close();
    to.close();
  }
}

function momentOf(head: Head | null): string {
  return head?.at ? `position ${head.position}, ${head.at}` : 'its beginning';
}

/** Repeats erasure orders from after the time of the restored log, so that erased data remains erased. */
async function eraseOwed({ config }: VerbPlace): Promise<void> {
  const { openNode } = await import('./open-node.ts');
  const reporter = { warning: (message: string) => console.error(message) };
  // Opened as a separate log until it is imported into an event store.
  const node = await openNode({ ...config, eventStoreUrl: null }, { keepSite: true, reporter });
  try {
    await node.store.erasing.finish();
  } finally {
    await node.close();
  }
}
