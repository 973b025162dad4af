import { crc32 } from 'node:zlib';
import { ProjectionsDamaged } from './damage.ts';

export class DamagedRow extends ProjectionsDamaged {}

type Value = string | number | null;

export function sumOf(values: readonly Value[]): number {
  return crc32(values.join('\0'));
}

export function sumOfTexts(key: number, texts: readonly string[]): number {
  return sumIn('utf16le', key, texts);
}

/** The same for texts in ASCII. */
export function sumOfAscii(key: number, texts: readonly string[]): number {
  return sumIn('latin1', key, texts);
}

/** Characters. */
const LONG = 65_536;
const room = Buffer.alloc(LONG * 2);

// In UTF-8, texts outside ASCII take four times as long to be written as to be summed; long ones do not.
function sumIn(encoding: 'utf16le' | 'latin1', key: number, texts: readonly string[]): number {
  let sum = key >>> 0;
  for (const text of texts) {
    if (text === '') continue;
    const bytes = text.length > LONG ? Buffer.from(text) : room.subarray(0, room.write(text, encoding));
    sum = crc32(bytes, sum);
  }
  return sum;
}

/** Throws `DamagedRow` where a row is not what was written. */
export function checkSum(written: unknown, found: number, table: string, key: Value): void {
  if (written !== found) throw new DamagedRow(`the row ${key} of the table ${table} is not what was written`);
}
