import sharp from 'sharp';

/** An entry of a directory of EXIF: tag, type, value, and the number of values if it is not that of the bytes. */
export type ExifEntry = readonly [tag: number, type: keyof typeof types, value: string | Buffer, count?: number];

const types = { bytes: 1, ascii: 2, raw: 7, doubles: 12 };
const exifPointer = 34_665;

/** EXIF data with the given entries, in the byte order of the letters `II` or `MM`. */
export function exifOf(
  { ifd0 = [], exif = [] }: { readonly ifd0?: readonly ExifEntry[]; readonly exif?: readonly ExifEntry[] },
  order: 'II' | 'MM' = 'II',
): Buffer {
  const number = (value: number, bytes: 2 | 4) => {
    const buffer = Buffer.alloc(bytes);
    if (order === 'II') buffer.writeUIntLE(value, 0, bytes);
    else buffer.writeUIntBE(value, 0, bytes);
    return buffer;
  };
  const directory = (entries: readonly ExifEntry[], at: number, next?: { readonly pointer: number }) => {
    const rows = entries.length + (next === undefined ? 0 : 1);
    let end = at + 2 + 12 * rows + 4;
    const values: Buffer[] = [];
    const written = entries.map(([tag, type, value, count]) => {
      const bytes = Buffer.from(value as string, 'latin1');
      const length = count ?? bytes.length;
      const inline = length <= 4;
      const place = inline ? Buffer.concat([bytes, Buffer.alloc(4)]).subarray(0, 4) : number(end, 4);
      if (!inline) {
        values.push(bytes);
        end += bytes.length;
      }
      return Buffer.concat([number(tag, 2), number(types[type], 2), number(length, 4), place]);
    });
    const pointer = next && Buffer.concat([number(exifPointer, 2), number(4, 2), number(1, 4), number(end, 4)]);
    const parts = [number(rows, 2), ...written, ...(pointer ? [pointer] : []), Buffer.alloc(4), ...values];
    return { bytes: Buffer.concat(parts), end };
  };
  const first = directory(ifd0, 8, { pointer: exifPointer });
  const header = Buffer.concat([Buffer.from(order), number(42, 2), number(8, 4)]);
  return Buffer.concat([header, first.bytes, directory(exif, first.end).bytes]);
}

/** Datasets of IPTC as the segment of a JPEG file; text is written as Latin-1. */
export function iptcSegment(datasets: readonly (readonly [dataset: number, value: string | Buffer])[]): Buffer {
  const written = datasets.map(([dataset, value]) => {
    const bytes = Buffer.from(value as string, 'latin1');
    return Buffer.concat([Buffer.from([0x1c, 2, dataset, bytes.length >> 8, bytes.length & 255]), bytes]);
  });
  const all = Buffer.concat(written);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(all.length);
  return segment(0xed, Buffer.concat([Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0', 'latin1'), size, all]));
}

export function exifSegment(exif: Buffer): Buffer {
  return segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif]));
}

/** A JPEG file with segments in its header. */
export async function jpegWith(...segments: readonly Buffer[]): Promise<Buffer> {
  const plain = await sharp({ create: { width: 40, height: 20, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
  return Buffer.concat([plain.subarray(0, 2), ...segments, plain.subarray(2)]);
}

function segment(marker: number, bytes: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(bytes.length + 2, 2);
  return Buffer.concat([head, bytes]);
}
