import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { activeTheme } from '#http/tables/themes/theme.ts';
import { fileKeyOf } from '#media/files.ts';
import { openMedia } from '#media/open.ts';
import { ObjectMissing, type ObjectStore } from '#objects/port.ts';
import type { Model } from '#projections/reading/model.ts';
import { SourceFault, type SourceRecord } from '#wxr/records.ts';
import { writeFolderSite } from '#wxr/write-folder.ts';
import { type WxrPart, type WxrWritten, writeWxr } from '#wxr/write-wxr.ts';
import type { Outcome } from '../outcome.ts';
import { pastStateAt } from '../replay.ts';
import type { VerbPlace } from '../verb.ts';
import { siteRecords } from './site-records.ts';

/** A form that other systems read. */
export type ExportForm =
  | { readonly kind: 'wxr'; readonly file: string; readonly media: string | undefined; readonly partBytes: number }
  | { readonly kind: 'folder'; readonly folder: string; readonly texts: 'markdown' | 'html' | 'json' };

/** Writes the site in a form that other systems read. */
export async function exportForm(place: VerbPlace, form: ExportForm): Promise<Outcome> {
  const { config } = place;
  const logPath = join(config.dataDir, 'log.db');
  if (!existsSync(logPath)) return { kind: 'unavailable', message: `there is no event log at ${logPath}` };
  const log = openSqliteStore({ path: logPath, readOnly: true });
  try {
    const { position } = log.head();
    const state = await pastStateAt(place, { log, position });
    try {
      const { reader } = state;
      const theme = activeTheme(reader, config.plugins.themes).slug;
      const records = counting(place, () => siteRecords(reader, log, theme));
      const kept = await openMedia(config);
      const value =
        form.kind === 'wxr'
          ? await toWxr(form, { records, reader, kept })
          : await toFolder(form, { records, reader, kept });
      return { kind: 'done', value: { position, ...value } };
    } finally {
      state.close();
    }
  } catch (error) {
    if (error instanceof SourceFault) return { kind: 'refused', code: error.code, message: error.message };
    throw error;
  } finally {
    log.close();
  }
}

async function* counting({ progress }: VerbPlace, records: () => Iterable<SourceRecord>): AsyncGenerator<SourceRecord> {
  const task = progress({ name: 'writing', total: 0, unit: 'items' });
  let done = 0;
  try {
    for (const record of records()) {
      yield record;
      done += 1;
      await task.at(done);
    }
  } finally {
    task.end();
  }
}

interface Parts {
  readonly records: AsyncIterable<SourceRecord>;
  readonly reader: Model;
  readonly kept: ObjectStore;
}

/** What the form cannot say, in words. */
const leftWords: Readonly<Record<keyof WxrWritten['left'], string>> = {
  revision: 'revisions',
  autosave: 'autosaves',
  comment: 'comments without an item',
  term: 'terms without a name',
  author: 'names of authors',
  setting: 'settings',
  profile: 'profiles of accounts',
  agent: 'programs that sent comments',
};

async function toWxr(
  { file, media, partBytes: maxBytes }: Extract<ExportForm, { kind: 'wxr' }>,
  { records, reader, kept }: Parts,
) {
  let files = 0;
  const passing = async function* () {
    for await (const record of records) {
      if (media !== undefined && (await copyFile(record, { reader, kept, folder: media }))) files += 1;
      yield record;
    }
  };
  const written = await writeWxr(passing(), {
    maxBytes,
    now: new Date(),
    open: (part) => openPart(partName(file, part)),
  });
  const { parts, bytes, items, comments, left, dropped } = written;
  const unsaid = Object.entries(left).filter(([, count]) => count > 0);
  return {
    ...{ files: parts, bytes, items, comments, media: files },
    notInThisForm: unsaid.map(([what, count]) => `${leftWords[what as keyof typeof leftWords]}: ${count}`).join(', '),
    droppedCharacters: dropped.count,
  };
}

/** Copies the upload of a media item to its place below a folder. Returns whether there was one. */
async function copyFile(
  record: SourceRecord,
  { reader, kept, folder }: { readonly reader: Model; readonly kept: ObjectStore; readonly folder: string },
): Promise<boolean> {
  const item = record.kind === 'item' && record.file !== null ? reader.media(record.id) : undefined;
  if (item === undefined) return false;
  // What leads out of a folder ends at its top.
  const path = join(folder, join('/', ...item.folder.split('/'), item.name));
  if (existsSync(path)) return true;
  await mkdir(dirname(path), { recursive: true });
  const aside = `${path}.part`;
  await pipeline(await kept.read(fileKeyOf(item.hash)), createWriteStream(aside));
  await rename(aside, path);
  return true;
}

/** `site.xml`, `site-2.xml`, … */
function partName(file: string, part: number): string {
  return part === 1 ? file : file.replace(/(\.[^./\\]*)?$/, `-${part}$1`);
}

/** A file that has its name once it is whole. */
async function openPart(path: string): Promise<WxrPart> {
  await mkdir(dirname(path), { recursive: true });
  const aside = `${path}.part`;
  await rm(aside, { force: true });
  const stream = createWriteStream(aside);
  return {
    write: (text) => new Promise((done, failed) => stream.write(text, (error) => (error ? failed(error) : done()))),
    end: async () => {
      await new Promise<void>((done, failed) => stream.end((error?: Error | null) => (error ? failed(error) : done())));
      await rename(aside, path);
    },
  };
}

async function toFolder(
  { folder, texts: form }: Extract<ExportForm, { kind: 'folder' }>,
  { records, reader, kept }: Parts,
) {
  const {
    records: count,
    files,
    notices,
  } = await writeFolderSite(records, {
    folder,
    form,
    file: async ({ id }) => {
      const hash = reader.media(id)?.hash;
      return hash === undefined ? null : kept.read(fileKeyOf(hash)).catch(nullIfMissing);
    },
  });
  return { records: count, files, missing: notices.length };
}

function nullIfMissing(error: unknown): null {
  if (error instanceof ObjectMissing) return null;
  throw error;
}
