import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipFile {
  /** Path with slashes. */
  readonly name: string;
  readonly text: string;
}

/** 1 January 1980, the earliest date in the format. It is constant, so that the same files always give the same bytes. */
const DATE = 0x21;
const DEFLATED = 8;
/** The flag for names in UTF-8. */
const UTF8 = 0x0800;
const VERSION = 20;

export function zipOf(files: readonly ZipFile[]): Buffer {
  const bodies: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const { name, text } of files) {
    const [path, content] = [Buffer.from(name), Buffer.from(text)];
    const packed = deflateRawSync(content);
    const shared = header(crc32(content), { packed: packed.length, plain: content.length, name: path.length });
    const body = Buffer.concat([signature(0x04034b50), shared, path, packed]);
    bodies.push(body);
    entries.push(Buffer.concat([signature(0x02014b50), twoBytes(VERSION), shared, tail(offset), path]));
    offset += body.length;
  }
  const directory = Buffer.concat(entries);
  return Buffer.concat([...bodies, directory, end(files.length, directory.length, offset)]);
}

interface Lengths {
  readonly packed: number;
  readonly plain: number;
  readonly name: number;
}

function header(sum: number, { packed, plain, name }: Lengths): Buffer {
  const bytes = Buffer.alloc(26);
  for (const [i, value] of [VERSION, UTF8, DEFLATED, 0, DATE].entries()) bytes.writeUInt16LE(value, 2 * i);
  for (const [i, value] of [sum, packed, plain].entries()) bytes.writeUInt32LE(value, 10 + 4 * i);
  bytes.writeUInt16LE(name, 22);
  return bytes;
}

/** The end of a directory entry: no comment, one disk, no attributes, and the offset of the file. */
function tail(offset: number): Buffer {
  const bytes = Buffer.alloc(14);
  bytes.writeUInt32LE(offset, 10);
  return bytes;
}

function end(count: number, length: number, offset: number): Buffer {
  const bytes = Buffer.alloc(22);
  bytes.writeUInt32LE(0x06054b50, 0);
  bytes.writeUInt16LE(count, 8);
  bytes.writeUInt16LE(count, 10);
  bytes.writeUInt32LE(length, 12);
  bytes.writeUInt32LE(offset, 16);
  return bytes;
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function twoBytes(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}
