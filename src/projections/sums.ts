import { crc32 } from 'node:zlib';
import { ProjectionsDamaged } from './damage.ts';

export class DamagedRow extends ProjectionsDamaged {}

type Value = string | number | null;

export function sumOf(values: readonly Value[]): number {
  return crc32(values.join('\0'));
}

export function sumOfTexts(key: number, texts: readonly string[]): number {
  let sum = key >>> 0;
  // Long texts outside ASCII take a fifth of the time as bytes.
  for (const text of texts) sum = crc32(text.length > LONG ? Buffer.from(text) : text, sum);
  return sum;
}

/** Characters. */
const LONG = 65_536;

/** Throws `DamagedRow` where a row is not what was written. */
export function checkSum(written: unknown, found: number, table: string, key: Value): void {
  if (written !== found) throw new DamagedRow(`the row ${key} of the table ${table} is not what was written`);
}
