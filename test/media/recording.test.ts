import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { recording } from '#domain/media/recording.ts';
import { readRecording } from '#media/recording.ts';
import { filmOf, framesOf, id3Of, oggOf, wavOf } from '../support/recordings.ts';
import { temporaryDirectory } from '../support/temporary.ts';

function read(bytes: Buffer, type = 'audio/mpeg', folder = temporaryDirectory()) {
  const path = join(folder, 'recording');
  writeFileSync(path, bytes);
  return readRecording(path, type);
}

describe('a recording', () => {
  it('of MP3 is as long as its frames, whatever is before and behind them', async () => {
    const end = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 'x')]);
    const bytes = Buffer.concat([id3Of({ TIT2: 'x'.repeat(90_000) }), framesOf(2000), end]);
    expect(await read(bytes)).toMatchObject({ length: 52, bitrate: 128_000, bitrateMode: 'cbr' });
  });

  it('of MP3 has the average bit rate if its frames differ', async () => {
    const mixed = Buffer.concat([framesOf(1000), framesOf(1000, 64)]);
    const found = await read(mixed);
    expect(found).toMatchObject({ length: 52, bitrateMode: 'vbr' });
    expect(Math.round((found?.bitrate ?? 0) / 1000)).toBe(96);
  });

  it.each([
    ['Xing', 'vbr'],
    ['Info', 'cbr'],
  ])('of MP3 is as long as its header %s says, where it has one', async (name, bitrateMode) => {
    const header = framesOf(1);
    header.write(name, 36, 'latin1');
    // What follows: the numbers of frames and of bytes.
    for (const [at, value] of [
      [40, 3],
      [44, 4000],
      [48, 4000 * 417],
    ] as const)
      header.writeUInt32BE(value, at);
    expect(await read(Buffer.concat([header, framesOf(3)]))).toMatchObject({
      container: 'mp3',
      length: 104,
      bitrateMode,
    });
  });

  it.each([0, 9 * 1024 * 1024])('of Ogg is as long as its last page says, behind %s bytes', async (bytes) => {
    expect(await read(oggOf(83, bytes), 'audio/ogg')).toMatchObject({
      ...{ container: 'ogg', sound: 'vorbis', channels: 2, sampleRate: 44_100, length: 83 },
    });
  });

  it('that says a hundred thousand things is read for a moment only', async () => {
    const many = Array.from({ length: 100_000 }, () => id3Of({ TPE1: 'a/b/c/d/e/f' }).subarray(10));
    const tag = Buffer.concat([id3Of({ TIT2: 'x'.repeat(many.length * 22 - 11) }).subarray(0, 10), ...many]);
    expect(await read(Buffer.concat([tag, framesOf(20)]))).toMatchObject({ container: 'mp3', bitrate: 128_000 });
  });

  it('is not read of other types', async () => {
    expect(await read(wavOf(1), 'text/plain')).toBeNull();
    expect(await read(Buffer.from('nothing at all'))).toBeNull();
    expect(await read(Buffer.alloc(0))).toBeNull();
  });

  it('is read of a film whose header is long or large', async () => {
    const film = filmOf({ seconds: 7, width: 16, height: 9 });
    const wide = Buffer.from(film);
    // A length of 0: up to the end of the file.
    wide.writeUInt32BE(0, film.indexOf('moov') - 4);
    for (const bytes of [film, wide]) {
      expect(await read(bytes, 'video/mp4')).toMatchObject({ length: 7, width: 16, height: 9 });
    }
  });

  it('never makes reading fail, whatever its bytes are', async () => {
    const samples = [
      Buffer.concat([id3Of({ TIT2: 'Title', TRCK: '1/2', COMM: 'engx\0comment' }), framesOf(3)]),
      wavOf(1).subarray(0, 300),
      filmOf({ seconds: 1, width: 2, height: 3 }),
      oggOf(3),
    ];
    const folder = temporaryDirectory();
    const change = fc.tuple(fc.nat(250), fc.nat(255));
    const from = fc.constantFrom('start', 'end');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...samples),
        fc.array(change, { minLength: 1, maxLength: 6 }),
        from,
        async (sample, changes, side) => {
          const bytes = Buffer.from(sample);
          for (const [at, value] of changes) bytes[side === 'start' ? at : bytes.length - 1 - at] = value;
          for (const type of ['audio/mpeg', 'video/mp4']) {
            const found = await read(bytes, type, folder);
            expect(found === null || recording.strict().safeParse(found).success).toBe(true);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});
