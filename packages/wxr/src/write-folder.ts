import { createWriteStream } from 'node:fs';
import { appendFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ItemFileForm, renderItemFile, siteFolder } from './folder-form.ts';
import { type ItemRecord, SourceFault, type SourceNotice, type SourceRecord } from './records.ts';
import { createFileNames } from './write-folder-names.ts';

export interface FolderTarget {
  /** A folder that is empty or not there yet. */
  readonly folder: string;
  readonly form: ItemFileForm;
  /** The bytes of an attachment; null: there are none. */
  readonly file: (record: ItemRecord) => Promise<AsyncIterable<Buffer> | null>;
}

/** What was written. */
export interface WrittenFolder {
  readonly records: number;
  /** Files of attachments. */
  readonly files: number;
  /** Files that are not there, so that only what is known of them was written. */
  readonly notices: readonly SourceNotice[];
}

/** Writes a site as a folder of files that people can read and `openFolderSource` reads back as equal records. */
export async function writeFolderSite(records: AsyncIterable<SourceRecord>, to: FolderTarget): Promise<WrittenFolder> {
  await mkdir(to.folder, { recursive: true });
  if ((await readdir(to.folder)).length > 0) {
    throw new SourceFault(
      'folder_not_empty',
      `${to.folder} is not empty: give an empty folder, or one that is not there.`,
    );
  }
  const names = createFileNames();
  const notices: SourceNotice[] = [];
  let [count, files] = [0, 0];
  for await (const record of records) {
    count += 1;
    if (record.kind === 'item') {
      const localFile = await writeBytes(record, to, names.file, notices);
      if (localFile !== '') files += 1;
      const { ending, text } = renderItemFile({ item: record, localFile }, to.form);
      await written(to.folder, names.item(record, ending), text);
    } else if (record.kind === 'site') {
      await written(to.folder, 'site.json', `${JSON.stringify({ ...siteFolder, ...record }, null, 2)}\n`);
    } else {
      await appended(to.folder, dataFile(record), record);
    }
  }
  return { records: count, files, notices };
}

/** The file that has a record in one of its lines. */
function dataFile(record: Exclude<SourceRecord, { kind: 'item' | 'site' }>): string {
  switch (record.kind) {
    case 'comment':
      return `data/comments/${record.of}.jsonl`;
    case 'revision':
      return `data/revisions/${record.of}.jsonl`;
    default:
      return `data/${record.kind === 'styles' ? 'styles' : `${record.kind}s`}.jsonl`;
  }
}

async function writeBytes(
  record: ItemRecord,
  { folder, file }: FolderTarget,
  nameOf: (record: ItemRecord) => string,
  notices: SourceNotice[],
): Promise<string> {
  if (record.file === null) return '';
  try {
    const bytes = await file(record);
    if (bytes === null) return '';
    const path = nameOf(record);
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await pipeline(Readable.from(bytes), createWriteStream(join(folder, path)));
    return path;
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error;
    const place = { file: record.file.url || record.file.path, line: 0 };
    notices.push({ what: 'skipped', code: error.code, message: error.message, place });
    return '';
  }
}

async function written(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

async function appended(folder: string, path: string, record: SourceRecord): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  // Readers of lines, that of Node among them, also end a line at these two.
  const line = JSON.stringify(record).replace(/[\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16)}`);
  await appendFile(join(folder, path), `${line}\n`);
}
