import { z } from 'zod';
import { limited, optional } from '#domain/kernel/limits.ts';

const count = z.int().min(1);

/** What a file of sound or film says about itself; members that it does not have are absent. */
export const recording = z.object(
  optional({
    container: limited.word.describe('format of the file, such as mp3 or mp4'),
    sound: limited.word.describe('format of the sound in it'),
    type: limited.word.describe('MIME type, by the content'),
    codec: limited.word,
    encoder: limited.word,
    channels: count,
    channelMode: limited.word,
    sampleRate: count,
    bitsPerSample: count,
    bitrate: z.number().min(0).describe('bits per second'),
    bitrateMode: z.enum(['cbr', 'vbr']),
    lossless: z.boolean(),
    length: count.describe('in seconds'),
    created: z.int().describe('seconds since 1970'),
    width: count,
    height: count,
    tags: z
      .object(
        optional({
          title: limited.title,
          artist: limited.title,
          album: limited.title,
          band: limited.title,
          composer: limited.title,
          genre: limited.title,
          year: limited.word,
          trackNumber: limited.word,
          totalTracks: limited.word,
          comment: limited.title,
          publisher: limited.title,
          copyright: limited.title,
        }),
      )
      .describe('of ID3'),
  }),
);
export type Recording = z.infer<typeof recording>;
export type RecordingTags = NonNullable<Recording['tags']>;
