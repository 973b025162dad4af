import { crc32 } from 'node:zlib';

/** Bytes of a checksum. */
export const sumSize = 4;

/**
 * The record of a view: the text, then its kind and permalink, then the texts for searches, each followed by its checksum. The text comes
 * first, because lists read it alone.
 */
export function recordOf(text: Buffer, label: Buffer, searched: Buffer): Buffer {
  return Buffer.concat([text, label, searched].flatMap((part) => [part, sumBytes(part)]));
}

export function placesIn({ text, label, searched }: Lengths): { label: number; searched: number; end: number } {
  const labelAt = text + sumSize;
  const searchedAt = labelAt + label + sumSize;
  return { label: labelAt, searched: searchedAt, end: searchedAt + searched + sumSize };
}

/** Whether the bytes match the checksum after them. */
export function isIntact(bytes: Buffer, from: number, length: number): boolean {
  return crc32(bytes.subarray(from, from + length)) === bytes.readUInt32LE(from + length);
}

interface Lengths {
  readonly text: number;
  readonly label: number;
  readonly searched: number;
}

function sumBytes(part: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(sumSize);
  bytes.writeUInt32LE(crc32(part));
  return bytes;
}
