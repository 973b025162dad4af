import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesWith, typed } from '../../node/erasure/support.ts';
import { ordered } from '../../support/erasure-order.ts';
import { filmOf, framesOf, id3Of, wavOf } from '../../support/recordings.ts';
import { type Site, startSite } from '../../support/site.ts';
import { uploadBody } from '../../support/uploads.ts';

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const upload = async (name: string, bytes: Buffer) => {
  const { status, body } = await uploadBody(site, 'editor', { name, type: 'application/x', bytes });
  expect(status).toBe(201);
  return body;
};

const TAG = { TIT2: 'A Song', TPE1: 'AC/DC', TALB: 'A & B', TRCK: '3/12', TYER: '1999', TCON: 'Rock' };

describe('the details of an uploaded recording', () => {
  it('are those of an MP3 file and of its tag', async () => {
    const bytes = Buffer.concat([id3Of(TAG), framesOf(2500)]);
    const body = await upload('song.mp3', bytes);
    const details = {
      dataformat: 'mp3',
      channels: 2,
      sample_rate: 44_100,
      bitrate: 128_000,
      channelmode: 'stereo',
      bitrate_mode: 'cbr',
      lossless: false,
      encoder_options: 'CBR128',
      compression_ratio: 128_000 / (44_100 * 2 * 16),
      fileformat: 'mp3',
      filesize: bytes.length,
      mime_type: 'audio/mpeg',
      length: 65,
      length_formatted: '1:05',
      title: 'A Song',
      artist: 'AC/DC',
      album: 'A &amp; B',
      track_number: '3',
      totaltracks: '12',
      year: '1999',
      genre: 'Rock',
      sizes: {},
    };
    expect(body.media_details).toEqual(details);
    expect([body.title.raw, body.media_type]).toEqual(['song', 'file']);
    const then = site.position();
    await site.call('editor', `PUT /media/${body.id}`, { title: 'Now' });
    for (const query of ['', `?as_of=${then}`]) {
      expect((await site.call('editor', `GET /media/${body.id}${query}`)).body.media_details).toEqual(details);
    }
  });

  it('are those of a WAV file', async () => {
    const bytes = wavOf(2);
    expect((await upload('silence.wav', bytes)).media_details).toEqual({
      dataformat: 'wav',
      codec: 'Pulse Code Modulation (PCM)',
      channels: 2,
      sample_rate: 44_100,
      bits_per_sample: 16,
      bitrate: 1_411_200,
      bitrate_mode: 'cbr',
      lossless: true,
      compression_ratio: 1,
      fileformat: 'wav',
      filesize: bytes.length,
      mime_type: 'audio/wav',
      length: 2,
      length_formatted: '0:02',
      sizes: {},
    });
  });

  it('are those of a film, even without sound', async () => {
    const bytes = filmOf({ seconds: 3723, width: 640, height: 360 });
    expect((await upload('film.mp4', bytes)).media_details).toEqual({
      fileformat: 'mp4',
      dataformat: 'quicktime',
      mime_type: 'video/quicktime',
      filesize: bytes.length,
      length: 3723,
      length_formatted: '1:02:03',
      created_timestamp: 1_772_366_400,
      width: 640,
      height: 360,
      sizes: {},
    });
  });

  it('are only the size of the file when it is damaged or something else', async () => {
    const text = await upload('text.txt', Buffer.from('Words of a song'));
    const cut = await upload('cut.mp3', Buffer.concat([id3Of(TAG).subarray(0, 20), Buffer.alloc(300)]));
    for (const { media_details: details } of [text, cut]) {
      expect([Object.keys(details).includes('filesize'), 'length' in details]).toEqual([true, false]);
    }
  });

  it('have their markup filtered', async () => {
    const body = await upload('script.mp3', Buffer.concat([id3Of({ TIT2: '<script>x</script>' }), framesOf(20)]));
    expect(body.media_details.title).toBe('x');
  });

  it('are erased with the item', async () => {
    const secret = 'Callisthenes';
    const body = await upload('secret.mp3', Buffer.concat([id3Of({ TPE1: secret }), framesOf(21)]));
    expect(body.media_details.artist).toBe(secret);
    expect(await typed(site.node, 'erase media', { id: String(body.id), ...ordered })).toMatchObject({ kind: 'done' });
    expect([...site.node.log.read()].filter((event) => JSON.stringify(event).includes(secret))).toEqual([]);
    expect(filesWith(site.directory, secret)).toEqual([]);
  });
});
