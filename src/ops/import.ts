import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ChainedEvent } from '#eventstore/chain.ts';
import { lockDirectory } from '#eventstore/lock.ts';
import { AppendTooLarge, CopyDiffers, type EventStore, OutcomeUnknown } from '#eventstore/port.ts';
import { openSqliteStore } from '#eventstore/sqlite.ts';
import { isMissing } from '#media/disk.ts';
import { openEngine } from '../engine.ts';
import type { Outcome } from './perform.ts';
import { FileMissing, fileCopier } from './transfer/files.ts';
import { commitOf, header, NotALine } from './transfer/format.ts';
import { LineTooLong, linesOf } from './transfer/lines.ts';
import { NotAPrefix, takeInto } from './transfer/take.ts';
import { defineLocalVerb, type Place, UsageError } from './verb.ts';

const importVerb = defineLocalVerb({
  name: 'import',
  summary: 'Takes over a log that was exported, or what is missing of it; the server must not run.',
  example: 'import site.ndjson --media site-media',
  positionals: ['file'],
  args: z.object({
    file: z.string().min(1).describe('the export; -: standard input'),
    media: z.string().min(1).optional().describe('folder that the export has put uploaded files into'),
  }),
  here: async (place, { file, media }) => {
    const { dataDir } = place.config;
    const bytes = file === '-' ? 0 : await sizeOf(file);
    const unlock = lockDirectory(dataDir);
    try {
      const log = await openLog(place);
      try {
        const source = file === '-' ? place.input : createReadStream(file, { highWaterMark: 1024 * 1024 });
        return await importInto(log, { source: source as AsyncIterable<Buffer>, bytes, media, place });
      } finally {
        log.close();
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
  /** How much there is; 0: nobody knows. */
  readonly bytes: number;
  readonly media: string | undefined;
  readonly place: Place;
}

/** The log in the data directory, or the copy there of the one on a server, which has to be there. */
async function openLog({ config }: Place): Promise<EventStore> {
  const path = join(config.dataDir, 'log.db');
  if (config.eventStoreUrl === null) return openSqliteStore({ path, mapped: false });
  const { log } = await openEngine(config, path, { onProgress: () => undefined, onFault: () => undefined });
  return log;
}

async function importInto(log: EventStore, { source, bytes, media, place }: Source): Promise<Outcome> {
  const files = media === undefined ? null : fileCopier({ from: media, to: join(place.config.dataDir, 'media') });
  const taking = takeInto(log);
  const task = place.progress({ name: 'importing', total: bytes, unit: 'bytes' });
  let count = 0;
  try {
    for await (const { text, end, whole } of linesOf(source)) {
      count += 1;
      if (!whole) {
        await taking.flush();
        throw new NotALine(`line ${count} is cut off; what comes before it was imported`);
      }
      if (count === 1) checkHeader(text);
      else {
        const commit = readLine(text, count);
        // Files first, so that what the log names is there.
        await files?.take(commit);
        await taking.take(commit);
      }
      await task.at(end);
    }
    if (count === 0) throw new NotALine('the file is empty');
    await taking.end();
  } finally {
    task.end();
  }
  const { position, hash } = log.head();
  return { kind: 'done', value: { position, hash, events: taking.appended, files: files?.copied ?? 0 } };
}

function checkHeader(text: string): void {
  if (`${text}\n` !== header) throw new NotALine('the file is no export, or one of another version');
}

function readLine(text: string, line: number): readonly ChainedEvent[] {
  try {
    return commitOf(text);
  } catch (error) {
    throw new NotALine(`line ${line}: ${(error as Error).message}`, { cause: error });
  }
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
  if (error instanceof NotALine || error instanceof LineTooLong) {
    return { kind: 'refused', code: 'not_an_export', message };
  }
  if (error instanceof NotAPrefix) return { kind: 'refused', code: 'target_differs', message };
  // What cannot be stored was never in a log.
  if (error instanceof CopyDiffers || error instanceof TypeError) {
    return { kind: 'refused', code: 'export_damaged', message };
  }
  if (error instanceof AppendTooLarge) return { kind: 'refused', code: 'commit_too_large', message };
  if (error instanceof OutcomeUnknown) return { kind: 'unavailable', message: `${message}; import it again` };
  if (error instanceof FileMissing) return { kind: 'refused', code: 'file_missing', message };
  throw error;
}
