import { crc32 } from 'node:zlib';

const CORRUPT = 11;
const NOT_A_DATABASE = 26;

type Value = string | number | null;

export class ProjectionsDamaged extends Error {
  override readonly name = 'ProjectionsDamaged';
}

/**
 * A row is not what was written. Every row that answers or decisions use has a checksum, which is compared whenever the row is read: a
 * wrong answer would be worse than none. The projections are then made again from the log, while all other rows are served. Making the row
 * from its stream instead would be a second way to make each kind of row.
 *
 * Why, and what was rejected: `docs/adr/0024-checksums.md`.
 */
export class DamagedRow extends ProjectionsDamaged {}

export function sumOf(values: readonly Value[]): number {
  return crc32(values.join('\0'));
}

export function sumOfTexts(key: number, texts: readonly string[]): number {
  return sumIn('utf16le', key, texts);
}

/** `sumOfTexts` for texts in ASCII. */
export function sumOfAscii(key: number, texts: readonly string[]): number {
  return sumIn('latin1', key, texts);
}

/** Characters. */
const LONG = 65_536;
const room = Buffer.alloc(LONG * 2);

// Encoding texts outside ASCII as UTF-8 takes four times as long as their checksum; for long texts it does not.
function sumIn(encoding: 'utf16le' | 'latin1', key: number, texts: readonly string[]): number {
  let sum = key >>> 0;
  for (const text of texts) {
    if (text === '') continue;
    const bytes = text.length > LONG ? Buffer.from(text) : room.subarray(0, room.write(text, encoding));
    sum = crc32(bytes, sum);
  }
  return sum;
}

/** Throws `DamagedRow` when a row does not match its checksum. */
export function checkSum(written: unknown, found: number, table: string, key: Value): void {
  if (written !== found) throw new DamagedRow(`the row ${key} of the table ${table} is not what was written`);
}

/** Whether an error means that the projections are damaged, so that only a rebuild helps. */
export function isDamage(error: unknown): error is Error {
  if (error instanceof ProjectionsDamaged) return true;
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return code === CORRUPT || code === NOT_A_DATABASE;
}
