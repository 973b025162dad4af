import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { bytesAt } from '#media/bytes-at.ts';
import { isMissing } from '#objects/disk.ts';
import { commitOf, header } from './format.ts';
import { newline } from './lines.ts';

export interface ExportOutput {
  /** The last commit already in the output; null: none. */
  readonly last: OutputPlace | null;
  write(pieces: readonly (string | Uint8Array)[]): Promise<void>;
  close(): Promise<void>;
}

export interface OutputPlace {
  readonly position: number;
  readonly hash: string;
}

export class NotAnExport extends Error {
  override readonly name = 'NotAnExport';
}

/** Bytes that are buffered before a write. */
const gathered = 1024 * 1024;
/** Bytes read at once when searching a file backwards. */
const step = 64 * 1024;

export function toStream(stream: NodeJS.WritableStream): ExportOutput {
  return output({
    last: null,
    first: header,
    send: async (bytes) => {
      // Copied, because a stream may keep the buffer.
      if (!stream.write(Buffer.from(bytes))) await once(stream, 'drain');
    },
    close: async () => undefined,
  });
}

/** Opens an export file, or continues an existing one. A partial last line is cut off. Throws `NotAnExport`. */
export async function toFile(path: string): Promise<ExportOutput> {
  const file = await open(path, 'r+').catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return open(path, 'wx+', 0o600);
  });
  try {
    const { end, last } = await endOf(file);
    await file.truncate(end);
    let place = end;
    return output({
      last,
      first: end > 0 ? '' : header,
      async send(bytes) {
        for (let done = 0; done < bytes.length; ) {
          const { bytesWritten } = await file.write(bytes, done, bytes.length - done, place);
          done += bytesWritten;
          place += bytesWritten;
        }
      },
      async close() {
        await file.sync();
        await file.close();
      },
    });
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Creates a file that starts with a line. Throws `NotAnExport` if the file exists. */
export async function toNewFile(path: string, first: string): Promise<ExportOutput> {
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw exists ? new NotAnExport(`${path} is there already`) : error;
  });
  return output({
    last: null,
    first,
    send: (bytes) => file.writeFile(bytes),
    async close() {
      await file.sync();
      await file.close();
    },
  });
}

interface Sink {
  readonly last: OutputPlace | null;
  /** First line; empty if it is already written. */
  readonly first: string;
  /** Owns the bytes until the promise resolves. */
  readonly send: (bytes: Buffer) => Promise<void>;
  readonly close: () => Promise<void>;
}

function output({ last, first, send, close }: Sink): ExportOutput {
  let buffer = Buffer.allocUnsafe(gathered);
  let other = Buffer.allocUnsafe(gathered);
  let length = buffer.write(first);
  let sending = Promise.resolve();
  const flush = async () => {
    await sending;
    sending = send(buffer.subarray(0, length));
    sending.catch(() => undefined);
    [buffer, other] = [other, buffer];
    length = 0;
  };
  return {
    last,
    async write(pieces) {
      const room = pieces.reduce((sum, piece) => sum + maxBytes(piece), 0);
      if (length + room > buffer.length) await flush();
      if (room > buffer.length) buffer = Buffer.allocUnsafe(room);
      for (const piece of pieces) {
        if (typeof piece === 'string') length += buffer.write(piece, length);
        else {
          buffer.set(piece, length);
          length += piece.length;
        }
      }
    },
    async close() {
      await flush();
      await sending;
      await close();
    },
  };
}

/** Maximum number of bytes of a piece in UTF-8. */
function maxBytes(piece: string | Uint8Array): number {
  return typeof piece === 'string' ? piece.length * 3 : piece.length;
}

async function endOf(file: FileHandle): Promise<{ readonly end: number; readonly last: OutputPlace | null }> {
  const { size } = await file.stat();
  const begin = (await bytesAt(file, 0, Math.min(size, header.length))).toString();
  if (!header.startsWith(begin)) throw new NotAnExport('the file is there already and is no export');
  if (begin.length < header.length) return { end: 0, last: null };
  const end = (await lastNewline(file, size)) + 1;
  if (end === header.length) return { end, last: null };
  const start = (await lastNewline(file, end - 1)) + 1;
  const commit = commitOf((await bytesAt(file, start, end - start)).toString());
  const { position = 0, hash = null } = commit.at(-1) ?? {};
  return { end, last: { position, hash: hash ?? '' } };
}

/** Offset of the last newline before a position; -1: none. */
async function lastNewline(file: FileHandle, before: number): Promise<number> {
  for (let end = before; end > 0; end -= step) {
    const start = Math.max(0, end - step);
    const at = (await bytesAt(file, start, end - start)).lastIndexOf(newline);
    if (at >= 0) return start + at;
  }
  return -1;
}
