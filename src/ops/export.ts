import { join } from 'node:path';
import { z } from 'zod';
import { localPath } from '#config/values.ts';
import { type ChainFault, EMPTY_HEAD, isChainFault, walkChain } from '#eventstore/chain.ts';
import { type Head, LogDamaged } from '#eventstore/port.ts';
import { type LogReader, openLogReader } from '#eventstore/sqlite/log-reader.ts';
import { packedSealHolds, unpacked } from '#eventstore/sqlite/packed.ts';
import { openMedia } from '#media/open.ts';
import { openFolder } from '#objects/folder.ts';
import type { Outcome } from './outcome.ts';
import { FileMissing, fileCopier } from './transfer/files.ts';
import { eventLine, NotALine } from './transfer/format.ts';
import { commitsOf } from './transfer/lines.ts';
import { type ExportOutput, NotAnExport, toFile, toStream } from './transfer/output.ts';
import { defineLocalVerb, UsageError, type VerbPlace } from './verb.ts';

const exportVerb = defineLocalVerb({
  name: 'export',
  summary:
    'Writes the log as NDJSON, one commit per line (an existing file is continued), the public pages as files, or the site in a form that other systems read.',
  example: 'export site.ndjson --media site-media',
  positionals: ['file'],
  args: z.object({
    file: localPath().optional().describe('target file of the log; -: standard output'),
    media: localPath().optional().describe('folder into which uploaded files are copied'),
    wxr: localPath().optional().describe('file for an export that systems of this family import'),
    part: z
      .string()
      .regex(/^[1-9]\d{0,5}$/, 'is not a number of megabytes')
      .optional()
      .describe('with --wxr: megabytes from which another file is begun. Default: 100'),
    folder: localPath()
      .optional()
      .describe('empty folder into which the site is written as files that people can read'),
    texts: z
      .enum(['markdown', 'html', 'json'])
      .optional()
      .describe('with --folder: form of the texts. Default: markdown'),
    pages: localPath().optional().describe('empty folder into which the public pages are written as files'),
    address: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('what addresses on these pages begin with; default: links are relative'),
  }),
  here: async (place, { file, media, pages, address, wxr, part = '100', folder, texts }) => {
    const targets = [file, pages, wxr, folder].filter((one) => one !== undefined);
    if (targets.length > 1) throw new UsageError('name one of a file, --pages, --wxr and --folder');
    if (wxr !== undefined || folder !== undefined) {
      const { exportForm } = await import('./migrate/out.ts');
      if (wxr !== undefined) return exportForm(place, { kind: 'wxr', file: wxr, media, partBytes: Number(part) * 1e6 });
      if (media !== undefined)
        throw new UsageError('--folder has the uploaded files in it: --media does not go with it');
      return exportForm(place, { kind: 'folder', folder: folder ?? '', texts: texts ?? 'markdown' });
    }
    if (pages !== undefined) {
      if (media !== undefined) throw new UsageError('--media does not go with --pages');
      // Imported lazily, since exporting the log does not need it.
      const { exportPages } = await import('./static-site/export.ts');
      return exportPages(place, { folder: pages, address: address?.replace(/(?<!\/)\/+$/, '') ?? null });
    }
    if (file === undefined) throw new UsageError('a file, --pages, --wxr or --folder is needed');
    if (address !== undefined) throw new UsageError('--address goes with --pages');
    const log = openLogReader(join(place.config.dataDir, 'log.db'));
    try {
      const output = file === '-' ? toStream(place.output) : await toFile(file);
      try {
        return await exportTo(output, { log, place, media, silent: file === '-' });
      } finally {
        await output.close();
      }
    } catch (error) {
      return refusalOf(error);
    } finally {
      log.close();
    }
  },
});

export const exportVerbs = [exportVerb];

interface Source {
  readonly log: LogReader;
  readonly place: VerbPlace;
  readonly media: string | undefined;
  readonly silent: boolean;
}

async function exportTo(output: ExportOutput, { log, place, media, silent }: Source): Promise<Outcome> {
  const start = startOf(output, log);
  if (start === null) {
    return { kind: 'refused', code: 'export_differs', message: 'the file is an export of another log' };
  }
  const files = media === undefined ? null : fileCopier({ from: await openMedia(place.config), to: openFolder(media) });
  const from = files === null ? start : EMPTY_HEAD;
  const walk = walkChain(from, { streams: false, sealHolds: packedSealHolds });
  const task = place.progress({ name: 'exporting', total: log.top, unit: 'events', from: from.position });
  let commits = 0;
  try {
    for (const commit of commitsOf(log.quoted(from.position + 1))) {
      for (const event of commit) {
        const fault = walk.take(event);
        if (fault !== null) throw damaged(fault);
      }
      // Files first, so that every file named by the export exists.
      await files?.take(commit.map(unpacked));
      const { position } = commit.at(-1) ?? from;
      if (position > start.position) {
        await output.write(eventLine(commit));
        commits += 1;
      }
      await task.at(position);
    }
  } finally {
    task.end();
  }
  const end = walk.end();
  if (isChainFault(end)) throw damaged(end);
  const { position, hash } = end;
  const value = { position, hash, events: position - start.position, commits, files: files?.copied ?? 0 };
  return silent ? { kind: 'done', value, text: '' } : { kind: 'done', value };
}

/** Where an export continues; null if the existing one belongs to another log. */
function startOf({ last }: ExportOutput, log: LogReader): Head | null {
  if (last === null) return EMPTY_HEAD;
  const [event] = last.position > log.top ? [] : log.quoted(last.position);
  return event?.hash === last.hash ? { ...last, at: event.at } : null;
}

function damaged({ message, position }: ChainFault): LogDamaged {
  return new LogDamaged(`The event log is damaged at position ${position}: ${message}`, position);
}

function refusalOf(error: unknown): Outcome {
  const { message } = error as Error;
  if (error instanceof NotAnExport || error instanceof NotALine) {
    return { kind: 'refused', code: 'not_an_export', message };
  }
  if (error instanceof FileMissing) return { kind: 'refused', code: 'file_missing', message };
  throw error;
}
