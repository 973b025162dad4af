import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { localPath } from '#config/values.ts';
import { writeHead } from '#eventstore/head-file.ts';
import { lockDirectory } from '#eventstore/lock.ts';
import { AppendTooLarge, CopyDiffers, OutcomeUnknown } from '#eventstore/port.ts';
import { openBulkImport } from '#eventstore/sqlite/bulk-import.ts';
import { fromPackedRow } from '#eventstore/sqlite/packed.ts';
import { openMedia } from '#media/open.ts';
import { openEngine, refuseCopy } from '#node/open-log.ts';
import { isMissing } from '#objects/disk.ts';
import { openFolder } from '#objects/folder.ts';
import { reporterOf } from '#process/reporter.ts';
import type { Outcome } from './outcome.ts';
import { Stopped } from './progress.ts';
import { FileMissing, fileCopier } from './transfer/files.ts';
import { NotALine } from './transfer/format.ts';
import { readInWorker } from './transfer/read-in-worker.ts';
import type { ReadFault } from './transfer/reading.ts';
import { type ImportTarget, NotAPrefix, NotBridged, sharedTarget, takeInto } from './transfer/take.ts';
import { defineLocalVerb, UsageError, type VerbPlace } from './verb.ts';

const importVerb = defineLocalVerb({
  name: 'import',
  summary: 'Imports an exported log, or the missing part of it; the server must not run.',
  example: 'import site.ndjson --media site-media',
  positionals: ['file'],
  args: z.object({
    file: localPath().describe('the export; -: standard input'),
    media: localPath().optional().describe('folder with the uploaded files of the export'),
  }),
  here: async (place, { file, media }) => {
    const { dataDir } = place.config;
    const bytes = file === '-' ? 0 : await sizeOf(file);
    const unlock = lockDirectory(dataDir);
    try {
      const target = await openTarget(place);
      try {
        const source = file === '-' ? place.input : createReadStream(file, { highWaterMark: 1024 * 1024 });
        return await importInto(target, { source: source as AsyncIterable<Buffer>, bytes, media, place });
      } finally {
        target.close();
      }
    } catch (error) {
      return refusalOf(error);
    } finally {
      unlock();
    }
  },
});

export const importVerbs = [importVerb];

interface Source {
  readonly source: AsyncIterable<Buffer | string>;
  /** Size of the source; 0: unknown. */
  readonly bytes: number;
  readonly media: string | undefined;
  readonly place: VerbPlace;
}

type OpenTarget = ImportTarget & { close(): void };

async function openTarget({ config }: VerbPlace): Promise<OpenTarget> {
  const path = logPath({ config });
  if (config.eventStoreUrl === null) {
    refuseCopy(path);
    return openBulkImport(path);
  }
  const { log } = await openEngine(config, path, { reporter: reporterOf(), timings: { start: 10_000 } });
  return { ...sharedTarget(log), close: log.close };
}

async function importInto(target: ImportTarget, { source, bytes, media, place }: Source): Promise<Outcome> {
  const files = media === undefined ? null : fileCopier({ from: openFolder(media), to: await openMedia(place.config) });
  const taking = takeInto(target);
  const task = place.progress({ name: 'importing', total: bytes, unit: 'bytes' });
  try {
    for await (const { commits, gaps, end, fault } of readInWorker(source)) {
      const bridgeAt = (at: number) => gaps.filter(({ after }) => after === at).forEach(taking.bridge);
      for (const [i, commit] of commits.entries()) {
        bridgeAt(i);
        // Files first, so that every file named by the log exists.
        await files?.take(commit.map(fromPackedRow));
        await taking.take(commit);
      }
      bridgeAt(commits.length);
      if (fault?.kind === 'cut') await target.flush();
      if (fault !== null) throw errorOf(fault);
      await task.at(end);
    }
    await taking.end();
  } catch (error) {
    // Keeps the whole commits taken so far: another import continues after them.
    if (error instanceof Stopped || error instanceof NotBridged) await target.flush();
    throw error;
  } finally {
    task.end();
  }
  const { position, hash } = target.head();
  writeHead(logPath(place), { position, hash });
  return { kind: 'done', value: { position, hash, events: taking.appended, files: files?.copied ?? 0 } };
}

const logPath = ({ config }: Pick<VerbPlace, 'config'>) => join(config.dataDir, 'log.db');

function errorOf({ kind, message }: ReadFault): Error {
  return kind === 'damaged' ? new CopyDiffers(message, 0) : new NotALine(message);
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((error: unknown) => {
    if (isMissing(error)) throw new UsageError(`there is no file ${file}`);
    throw error;
  });
  return found.size;
}

function refusalOf(error: unknown): Outcome {
  const { message } = error as Error;
  if (error instanceof NotALine) return { kind: 'refused', code: 'not_an_export', message };
  if (error instanceof NotBridged) return { kind: 'refused', code: 'gap_not_bridged', message };
  if (error instanceof NotAPrefix) return { kind: 'refused', code: 'target_differs', message };
  // A log never contains what the store rejects.
  if (error instanceof CopyDiffers || error instanceof TypeError) {
    return { kind: 'refused', code: 'export_damaged', message };
  }
  if (error instanceof AppendTooLarge) return { kind: 'refused', code: 'commit_too_large', message };
  if (error instanceof OutcomeUnknown) return { kind: 'unavailable', message: `${message}; import it again` };
  if (error instanceof FileMissing) return { kind: 'refused', code: 'file_missing', message };
  throw error;
}
