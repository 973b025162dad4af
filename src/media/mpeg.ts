import type { FileHandle } from 'node:fs/promises';
import { bytesAt } from './bytes-at.ts';

/** What the frames of an MP3 file say. */
export interface MpegSound {
  readonly channels: number;
  readonly channelMode: string;
  readonly sampleRate: number;
  readonly bitrateMode: 'cbr' | 'vbr';
  /** Bits per second, of the first frame or on average; absent if a header says how many frames there are. */
  readonly bitrate?: number;
  /** In seconds; absent as well. */
  readonly duration?: number;
}

interface Frame {
  readonly bitrate: number;
  readonly sampleRate: number;
  readonly samples: number;
  readonly length: number;
  readonly mode: number;
}

/** Maximum number of bytes whose frames are counted; the rest is taken to be like them. */
const COUNTED = 32 * 1024 * 1024;
const CHUNK = 256 * 1024;
const channelModes = ['stereo', 'joint stereo', 'dual channel', 'mono'];
const rates = [44_100, 48_000, 32_000];
const bitrates = {
  1: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;

/** Counts the frames of an MP3 file, unless its first one is a header that says how many there are; null if no frame follows its tag. */
export async function countFrames(file: FileHandle, size: number): Promise<MpegSound | null> {
  const head = await bytesAt(file, 0, 10);
  const tagged = head.toString('latin1', 0, 3) === 'ID3' && head.length === 10;
  const start = tagged ? 10 + [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((head[at] ?? 0) & 127), 0) : 0;
  const opening = await bytesAt(file, start, 256);
  const first = frameIn(opening, 0);
  if (first === null) return null;
  const { mode, sampleRate } = first;
  const said = { channels: mode === 3 ? 1 : 2, channelMode: channelModes[mode] ?? '', sampleRate };
  const [header] = /Xing|Info|VBRI/.exec(opening.toString('latin1')) ?? [];
  if (header !== undefined) return { ...said, bitrateMode: header === 'Info' ? 'cbr' : 'vbr' };
  const { bytes, duration, isConstant } = await addUp(file, { first, start, size });
  const all = size - start;
  return {
    ...said,
    bitrate: isConstant ? first.bitrate : (bytes * 8) / duration,
    bitrateMode: isConstant ? 'cbr' : 'vbr',
    duration: bytes < COUNTED ? duration : (duration * all) / bytes,
  };
}

async function addUp(
  file: FileHandle,
  { first, start, size }: { readonly first: Frame; readonly start: number; readonly size: number },
) {
  let [bytes, duration, isConstant] = [0, 0, true];
  let chunk: Buffer = Buffer.alloc(0);
  let chunkAt = 0;
  while (start + bytes < size && bytes < COUNTED) {
    let at = start + bytes - chunkAt;
    if (at + 4 > chunk.length) {
      chunkAt += at;
      chunk = await bytesAt(file, chunkAt, CHUNK);
      at = 0;
    }
    const frame = frameIn(chunk, at);
    if (frame === null) break;
    isConstant &&= frame.bitrate === first.bitrate;
    bytes += frame.length;
    duration += frame.samples / frame.sampleRate;
  }
  return { bytes, duration, isConstant };
}

function frameIn(bytes: Buffer, at: number): Frame | null {
  if (at + 4 > bytes.length) return null;
  const header = bytes.readUInt32BE(at);
  // Eleven bits of synchronisation, then the version, 1 is reserved; then layer 3.
  const [version, layer] = [(header >>> 19) & 3, (header >>> 17) & 3];
  if (header >>> 21 !== 0x7ff || version === 1 || layer !== 1) return null;
  const generation = version === 3 ? 1 : 2;
  const kilobits = bitrates[generation][((header >>> 12) & 15) - 1];
  const base = rates[(header >>> 10) & 3];
  if (kilobits === undefined || base === undefined) return null;
  const sampleRate = base / ({ 3: 1, 2: 2 }[version] ?? 4);
  const samples = generation === 1 ? 1152 : 576;
  const bitrate = kilobits * 1000;
  const length = Math.floor(((samples / 8) * bitrate) / sampleRate) + ((header >>> 9) & 1);
  return { bitrate, sampleRate, samples, length, mode: (header >>> 6) & 3 };
}
