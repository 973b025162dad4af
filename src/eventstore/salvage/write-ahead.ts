/** Bytes of the header of a write-ahead log, and of each frame header: https://sqlite.org/fileformat2.html#walformat */
const headerBytes = 32;
const frameHeaderBytes = 24;
/** First word of a write-ahead log with big-endian checksums. */
const bigEndianMagic = 0x377f0683;

export interface Frames {
  readonly whole: ReadonlyMap<number, number>;
  readonly damaged: ReadonlyMap<number, number>;
}

type Checksum = readonly [number, number];
type ReadBytes = (at: number, length: number) => Buffer;

/**
 * Finds the frames of a write-ahead log. SQLite ends the log at the first damaged frame; here each frame is checked against the checksum
 * recorded in the previous one, so that frames after a damaged one still count.
 */
export function framesOf(size: number, read: ReadBytes, pageSize: number): Frames {
  const whole = new Map<number, number>();
  const damaged = new Map<number, number>();
  const frameBytes = frameHeaderBytes + pageSize;
  const count = Math.floor((size - headerBytes) / frameBytes);
  if (count < 1) return { whole, damaged };
  const header = read(0, headerBytes);
  const big = header.readUInt32BE(0) === bigEndianMagic;
  let before: Checksum = [header.readUInt32BE(24), header.readUInt32BE(28)];
  const holds = same(checksum(header.subarray(0, 24), [0, 0], big), before);
  // A damaged header says nothing about its frames; the first frame belongs to the current log.
  const salts = holds ? header.subarray(16, 24) : read(headerBytes, frameHeaderBytes).subarray(8, 16);
  let pending: { page: number; at: number; holds: boolean }[] = [];
  for (let i = 0; i < count; i++) {
    const start = headerBytes + i * frameBytes;
    const frame = read(start, frameBytes);
    const own: Checksum = [frame.readUInt32BE(16), frame.readUInt32BE(20)];
    const isCurrent = salts.equals(frame.subarray(8, 16));
    const sum = checksum(frame.subarray(frameHeaderBytes), checksum(frame.subarray(0, 8), before, big), big);
    before = own;
    // Left over from an earlier use of the file.
    if (!isCurrent) continue;
    pending.push({ page: frame.readUInt32BE(0), at: start + frameHeaderBytes, holds: same(sum, own) });
    const endsCommit = frame.readUInt32BE(4) !== 0;
    if (!endsCommit) continue;
    for (const { page, at, holds } of pending) {
      if (holds) {
        whole.set(page, at);
        damaged.delete(page);
      } else damaged.set(page, at);
    }
    pending = [];
  }
  return { whole, damaged };
}

function checksum(bytes: Buffer, [first, second]: Checksum, big: boolean): Checksum {
  let a = first;
  let b = second;
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + (big ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at)) + b) >>> 0;
    b = (b + (big ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4)) + a) >>> 0;
  }
  return [a, b];
}

function same(a: Checksum, b: Checksum): boolean {
  return a[0] === b[0] && a[1] === b[1];
}
