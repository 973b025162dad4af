import { closeSync, existsSync, openSync, readFileSync, readSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** Suffixes of files beside the projections file: its checksum, and the indexes for lists. */
export const sealSuffix = '-sum';
export const listsSuffix = '-lists';

/** Larger files are not checked as a whole at start and end: their rows are checked one by one. */
const largest = 512 * 1024 * 1024;
const chunk = 1 << 20;

/**
 * Records the checksum of a closed projections file, so that the next start can verify all of it, including indexes and counts, which row
 * checksums do not cover.
 */
export function sealFile(path: string): void {
  try {
    if (hasWriteAhead(path) || statSync(path).size > largest) return;
    writeFileSync(path + sealSuffix, textOf(path), { mode: 0o600 });
  } catch {
    // Without it the next start checks less; nothing is lost.
    rmSync(path + sealSuffix, { recursive: true, force: true });
  }
}

/** Whether a file is as it was sealed, or has no seal, as after a crash. Removes the seal, because the file is about to be written. */
export function breakSeal(path: string): boolean {
  const seal = path + sealSuffix;
  if (!existsSync(seal)) return true;
  const written = statSync(seal).isFile() ? readFileSync(seal, 'latin1') : null;
  rmSync(seal, { recursive: true });
  return !existsSync(path) || hasWriteAhead(path) || textOf(path) === written;
}

/** A reader that may not write leaves an empty one behind. */
function hasWriteAhead(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function textOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.allocUnsafe(chunk);
    let [sum, size] = [0, 0];
    for (let read = -1; read !== 0; size += read) {
      read = readSync(file, bytes, 0, chunk, size);
      sum = crc32(bytes.subarray(0, read), sum);
    }
    return `${size} ${sum}\n`;
  } finally {
    closeSync(file);
  }
}
