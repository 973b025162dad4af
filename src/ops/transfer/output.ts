import { once } from 'node:events';
import { type FileHandle, open } from 'node:fs/promises';
import { isMissing } from '#objects/disk.ts';
import { commitOf, header } from './format.ts';
import { newline } from './lines.ts';

export interface Output {
  /** The last commit that is there already; null for none. */
  readonly last: Place | null;
  write(pieces: readonly (string | Uint8Array)[]): Promise<void>;
  close(): Promise<void>;
}

export interface Place {
  readonly position: number;
  readonly hash: string;
}

export class NotAnExport extends Error {
  override readonly name = 'NotAnExport';
}

/** Bytes that are gathered before they are written. */
const gathered = 1024 * 1024;
/** Bytes that are looked at in one go, from the end of a file backwards. */
const step = 64 * 1024;

export function toStream(stream: NodeJS.WritableStream): Output {
  return output({
    last: null,
    first: header,
    send: async (bytes) => {
      // A copy, because a stream may keep what it gets.
      if (!stream.write(Buffer.from(bytes))) await once(stream, 'drain');
    },
    close: async () => undefined,
  });
}

/**
 * Opens the file of an export; one that is there already is gone on with. What lies behind its last whole line was cut
 * off and goes. Throws `NotAnExport`.
 */
export async function toFile(path: string): Promise<Output> {
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

/** Begins a file of whole lines after a first one. Throws `NotAnExport` when there is one already. */
export async function toNewFile(path: string, first: string): Promise<Output> {
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
  readonly last: Place | null;
  /** The first line; empty if it is there. */
  readonly first: string;
  /** The bytes are its own until it is done. */
  readonly send: (bytes: Buffer) => Promise<void>;
  readonly close: () => Promise<void>;
}

function output({ last, first, send, close }: Sink): Output {
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
      const room = pieces.reduce((sum, piece) => sum + mostBytes(piece), 0);
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

/** Bytes that a piece can take in UTF-8. */
function mostBytes(piece: string | Uint8Array): number {
  return typeof piece === 'string' ? piece.length * 3 : piece.length;
}

async function endOf(file: FileHandle): Promise<{ readonly end: number; readonly last: Place | null }> {
  const { size } = await file.stat();
  const begin = (await read(file, 0, Math.min(size, header.length))).toString();
  if (!header.startsWith(begin)) throw new NotAnExport('the file is there already and is no export');
  if (begin.length < header.length) return { end: 0, last: null };
  const end = (await lastNewline(file, size)) + 1;
  if (end === header.length) return { end, last: null };
  const start = (await lastNewline(file, end - 1)) + 1;
  const commit = commitOf((await read(file, start, end - start)).toString());
  const { position = 0, hash = null } = commit.at(-1) ?? {};
  return { end, last: { position, hash: hash ?? '' } };
}

/** Where the last end of a line before a place is; -1 for none. */
async function lastNewline(file: FileHandle, before: number): Promise<number> {
  for (let end = before; end > 0; end -= step) {
    const start = Math.max(0, end - step);
    const at = (await read(file, start, end - start)).lastIndexOf(newline);
    if (at >= 0) return start + at;
  }
  return -1;
}

async function read(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start);
  return buffer.subarray(0, bytesRead);
}
