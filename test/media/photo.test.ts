import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { photo } from '#domain/media/photo.ts';
import { readPhoto } from '#media/photo.ts';
import { exifOf, exifSegment, iptcSegment, jpegWith } from '../support/photos.ts';
import { temporaryDirectory } from '../support/temporary.ts';

function read(bytes: Buffer, type = 'image/jpeg', folder = temporaryDirectory()) {
  const path = join(folder, 'image');
  writeFileSync(path, bytes);
  return readPhoto(path, type);
}

const plain = () => sharp({ create: { width: 4, height: 2, channels: 3, background: 'red' } }).jpeg();

describe('the header of an image', () => {
  it.each([
    ['1/16000', '28/10', { shutterSpeed: '6.25E-5', aperture: '2.8' }],
    ['1/10000', '17/9', { shutterSpeed: '0.0001', aperture: '1.89' }],
    ['1/3', '56/10', { shutterSpeed: '0.33333333333333', aperture: '5.6' }],
    ['1/100000', '0/10', { shutterSpeed: '1.0E-5' }],
    ['30/1', '1/0', { shutterSpeed: '30' }],
  ])('has numbers as texts: %s, %s', async (ExposureTime, FNumber, expected) => {
    expect(await read(await plain().withExif({ IFD2: { ExposureTime, FNumber } }).toBuffer())).toEqual(expected);
  });

  it.each([
    [{ DateTimeDigitized: '2026:03:01 12:00:00' }, [], '2026-03-01T12:00:00Z'],
    [{ DateTimeDigitized: '1969:12:31 23:59:00' }, [], '1969-12-31T23:59:00Z'],
    [{ DateTimeDigitized: '0000:00:00 00:00:00' }, [], null],
    [{ DateTimeOriginal: '2026:03:01 12:00:00' }, [], null],
    [
      {},
      [
        [55, '20260301'],
        [60, '120000'],
      ],
      '2026-03-01T12:00:00Z',
    ],
    [
      {},
      [
        [55, '20260301'],
        [60, '120000-0930'],
      ],
      '2026-03-01T21:30:00Z',
    ],
    [{}, [[55, '20260301']], null],
    [
      { DateTimeDigitized: '2026:03:01 12:00:00' },
      [
        [55, '20269901'],
        [60, '120000'],
      ],
      '2026-03-01T12:00:00Z',
    ],
  ] as const)('says when the image was made: %j, %j', async (IFD2, iptc, expected) => {
    const made = await plain().withExif({ IFD2 }).toBuffer();
    const found = await read(Buffer.concat([made.subarray(0, 2), iptcSegment(iptc), made.subarray(2)]));
    expect(found?.created).toBe(expected === null ? undefined : String(Date.parse(expected) / 1000));
  });

  it('may have the comment and author that Windows writes', async () => {
    const wide = (text: string) => Buffer.from(`${text}\0`, 'utf16le');
    const exif = exifOf({
      ifd0: [
        [40092, 'bytes', wide('Ein Gruß')],
        [40093, 'bytes', wide('Zoë')],
      ],
    });
    expect(await read(await jpegWith(exifSegment(exif)))).toEqual({ caption: 'Ein Gruß', credit: 'Zoë' });
  });

  it('is read however long the other segments before it are', async () => {
    const filling = Array.from({ length: 4 }, () => iptcSegment([]).subarray(0, 4));
    for (const head of filling) head.writeUInt16BE(60_002, 2);
    const segments = filling.map((head) => Buffer.concat([head, Buffer.alloc(60_000)]));
    const found = await read(await jpegWith(...segments, iptcSegment([[105, 'Far away']])));
    expect(found).toEqual({ title: 'Far away' });
  });

  it('shows nothing of the memory of the process when its lengths are wrong', async () => {
    const neighbours = Array.from({ length: 50 }, () => Buffer.from('a password of somebody else'));
    const exif = exifOf({ ifd0: [[270, 'ascii', 'Short', 30_000]] });
    const found = await read(Buffer.concat([Buffer.from([0xff, 0xd8]), exifSegment(exif), Buffer.from([0xff, 0xd9])]));
    expect([neighbours.length, JSON.stringify(found).includes('password')]).toEqual([50, false]);
  });

  it('never makes reading fail, whatever its bytes are', async () => {
    const exif = exifOf({
      ifd0: [
        [270, 'ascii', 'Description\0'],
        [272, 'ascii', 'Model\0'],
        [33432, 'ascii', 'Copyright\0'],
      ],
      exif: [
        [33434, 'doubles', Buffer.alloc(8)],
        [37510, 'raw', 'ASCII\0\0\0Comment'],
      ],
    });
    const intact = await jpegWith(
      exifSegment(exif),
      iptcSegment([
        [25, 'word'],
        [105, 'Headline'],
        [120, 'Caption'],
      ]),
    );
    const change = fc.tuple(fc.nat(360), fc.nat(255));
    const folder = temporaryDirectory();
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), fc.nat(700), async (changes, end) => {
        const bytes = Buffer.from(end < 300 ? intact.subarray(0, end) : intact);
        for (const [at, value] of changes) if (at >= 2 && at < bytes.length) bytes[at] = value;
        const found = await read(bytes, 'image/jpeg', folder);
        expect(found === null || photo.strict().safeParse(found).success).toBe(true);
        const tiff = Buffer.from(exif);
        for (const [at, value] of changes) if (at >= 4 && at < tiff.length) tiff[at] = value;
        const other = await read(tiff, 'image/tiff', folder);
        expect(other === null || photo.strict().safeParse(other).success).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
