import type { FileHandle } from 'node:fs/promises';
import { bytesAt } from './bytes-at.ts';

/** What the header of an MP4 or QuickTime file says. */
export interface Movie {
  /** In seconds. */
  readonly duration: number;
  /** Seconds since 1970; null: not stated. */
  readonly created: number | null;
  /** Of its first track with a picture; null: none has one. */
  readonly picture: { readonly width: number; readonly height: number } | null;
}

interface Box {
  readonly name: string;
  /** Where its content begins, and where the next box does. */
  readonly start: number;
  readonly end: number;
}

/** Maximum number of boxes that are looked at. */
const BOXES = 500;
/** Seconds from 1904, where the format begins to count, to 1970. */
const EPOCH = 2_082_844_800;

/** Reads the header of a film, wherever in the file it is; null if there is none. */
export async function readMovie(file: FileHandle, size: number): Promise<Movie | null> {
  const whole = { name: '', start: 0, end: size };
  const walk = walker(file);
  const movie = (await walk(whole)).find(({ name }) => name === 'moov');
  if (movie === undefined) return null;
  const parts = await walk(movie);
  const head = await contentOf(file, parts, 'mvhd');
  if (head === null) return null;
  const pictures: Movie['picture'][] = [];
  for (const track of parts.filter(({ name }) => name === 'trak')) {
    const about = await contentOf(file, await walk(track), 'tkhd');
    pictures.push(about && pictureIn(about));
  }
  return { ...timesIn(head), picture: pictures.find((one) => one !== null) ?? null };
}

/** Lists the boxes in a box, at most so many in all. */
function walker(file: FileHandle): (outer: Box) => Promise<Box[]> {
  let left = BOXES;
  return async ({ start, end }) => {
    const boxes: Box[] = [];
    for (let at = start; at + 8 <= end && left > 0; left -= 1) {
      const head = await bytesAt(file, at, 16);
      if (head.length < 8) break;
      const short = head.readUInt32BE(0);
      const isLong = short === 1 && head.length === 16;
      // 0: up to the end.
      const length = isLong ? Number(head.readBigUInt64BE(8)) : short || end - at;
      if (length < (isLong ? 16 : 8)) break;
      const next = Math.min(end, at + length);
      boxes.push({ name: head.toString('latin1', 4, 8), start: at + (isLong ? 16 : 8), end: next });
      at = next;
    }
    return boxes;
  };
}

function timesIn(head: Buffer): Pick<Movie, 'duration' | 'created'> {
  const isLong = head[0] === 1;
  if (head.length < (isLong ? 32 : 20)) return { duration: 0, created: null };
  const created = isLong ? Number(head.readBigUInt64BE(4)) : head.readUInt32BE(4);
  const scale = head.readUInt32BE(isLong ? 20 : 12);
  const units = isLong ? Number(head.readBigUInt64BE(24)) : head.readUInt32BE(16);
  return { duration: scale === 0 ? 0 : units / scale, created: created === 0 ? null : created - EPOCH };
}

/** The size at the end of the header of a track, in 16 bits and 16 bits behind the point. */
function pictureIn(head: Buffer): Movie['picture'] {
  const at = head[0] === 1 ? 88 : 76;
  if (head.length < at + 8) return null;
  const [width, height] = [head.readUInt16BE(at), head.readUInt16BE(at + 4)];
  return width > 0 && height > 0 ? { width, height } : null;
}

async function contentOf(file: FileHandle, boxes: readonly Box[], wanted: string): Promise<Buffer | null> {
  const box = boxes.find(({ name }) => name === wanted);
  return box === undefined ? null : bytesAt(file, box.start, Math.min(box.end - box.start, 128));
}
