import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DownloadFailed, type DownloadOptions, download } from '#outgoing/download.ts';
import { type ItemRecord, type SiteSource, SourceFault, type SourceFile } from '#wxr/records.ts';
import type { ImportRemark, WaitingFile } from './importer.ts';

export interface SourceFilesOptions {
  readonly source: SiteSource;
  /** Folder for files that wait to be stored. */
  readonly folder: string;
  readonly trusted: ReadonlySet<string>;
  readonly authorization: DownloadOptions['authorization'];
  readonly signal: AbortSignal;
}

/** The files of a source: from a folder beside it, or from their addresses. */
export class SourceFiles {
  readonly #options: SourceFilesOptions;
  #taken = 0;
  bytes = 0;

  constructor(options: SourceFilesOptions) {
    this.#options = options;
  }

  /** Fetches the file of an item; a remark says why it cannot be had. */
  async fetch(key: string, { file }: ItemRecord): Promise<WaitingFile | ImportRemark> {
    if (file === null || (file.url === '' && file.path === '')) {
      return { key, code: 'file_unknown', message: 'The source does not say where its file is.' };
    }
    const path = await this.#nextPath();
    const drop = () => rm(path, { force: true });
    try {
      const { bytes, name } = await this.#open(file);
      await pipeline(bytes, createWriteStream(path, { mode: 0o600 }));
      return { path, name, from: file.path, drop };
    } catch (error) {
      await drop();
      if (error instanceof DownloadFailed) return { key, code: 'file_not_fetched', message: error.message };
      if (error instanceof SourceFault) return { key, code: error.code, message: error.message };
      throw error;
    }
  }

  /** A file that is made of bytes. */
  async keep(name: string, bytes: Buffer): Promise<WaitingFile> {
    const path = await this.#nextPath();
    await writeFile(path, bytes, { mode: 0o600 });
    return { path, name, from: name, drop: () => rm(path, { force: true }) };
  }

  /** SHA-256 of the file of an item at the source, or of its first bytes. Throws `DownloadFailed`, and `SourceFault`. */
  async digest(
    file: SourceFile,
    most = Number.POSITIVE_INFINITY,
  ): Promise<{ readonly hash: string; readonly bytes: number }> {
    const hash = createHash('sha256');
    let bytes = 0;
    for await (const chunk of (await this.#open(file)).bytes) {
      hash.update(chunk);
      bytes += chunk.length;
      if (bytes >= most) break;
    }
    return { hash: hash.digest('hex'), bytes };
  }

  async close(): Promise<void> {
    if (this.#taken > 0) await rm(this.#options.folder, { recursive: true, force: true });
  }

  /** The upload itself, where the source shows a smaller image in its place and still has it. */
  async #open(file: SourceFile): Promise<{ readonly bytes: AsyncIterable<Buffer>; readonly name: string }> {
    const shown = async () => ({ bytes: await this.#opened(file), name: lastPart(file.path || file.url) });
    if (file.original === '') return shown();
    const original = { ...renamed(file, file.original) };
    return this.#opened(original).then((bytes) => ({ bytes, name: file.original }), shown);
  }

  async #opened(file: SourceFile): Promise<AsyncIterable<Buffer>> {
    const beside = await this.#options.source.file(file);
    return this.#counted(beside ?? (await download(file.url, this.#options)));
  }

  async *#counted(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      this.bytes += chunk.length;
      yield chunk;
    }
  }

  async #nextPath(): Promise<string> {
    await mkdir(this.#options.folder, { recursive: true, mode: 0o700 });
    this.#taken += 1;
    return join(this.#options.folder, String(this.#taken));
  }
}

function renamed(file: SourceFile, name: string): SourceFile {
  const beside = (path: string, last: string) => path.slice(0, path.lastIndexOf('/') + 1) + last;
  const url = file.url === '' ? '' : beside(file.url, encodeURIComponent(name));
  return { ...file, url, path: beside(file.path, name) };
}

function lastPart(path: string): string {
  const last = (URL.parse(path)?.pathname ?? path).split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
