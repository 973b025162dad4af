import { type FileHandle, open } from 'node:fs/promises';
import type { IAudioMetadata } from 'music-metadata';
import type { Recording, RecordingTags } from '#domain/media/recording.ts';
import { mainType } from '#domain/media/types.ts';
import { bytesAt } from './bytes-at.ts';
import { readMovie } from './movie.ts';
import { countFrames } from './mpeg.ts';

/** Maximum numbers of bytes and of pieces that the parser reads of a file, and of things that it finds there. */
const limits = { bytes: 8 * 1024 * 1024, pieces: 20_000, found: 1000 };
/** Maximum length of a page of Ogg, and the rate in which Opus counts whatever it plays. */
const LAST_PAGE = 65_307;
const OPUS = 48_000;
/** Maximum number of characters of a text. */
const LONGEST = 1024;

interface Kind {
  readonly container: string;
  /** Format of sound without a film; absent: the container. */
  readonly sound?: string;
  readonly type: string;
}

type Found = { readonly [N in keyof Recording]: Recording[N] | undefined };

/** Formats by what the parser calls them. */
const kinds: Readonly<Record<string, Kind>> = {
  MPEG: { container: 'mp3', type: 'audio/mpeg' },
  WAVE: { container: 'wav', type: 'audio/wav' },
  FLAC: { container: 'flac', type: 'audio/flac' },
  Ogg: { container: 'ogg', sound: 'vorbis', type: 'application/ogg' },
  'EBML/webm': { container: 'webm', type: 'video/webm' },
  'EBML/matroska': { container: 'matroska', type: 'video/x-matroska' },
};
const film: Kind = { container: 'mp4', sound: 'quicktime', type: 'video/quicktime' };
const filmOfSound: Kind = { container: 'mp4', type: 'audio/mp4' };
const unknown: IAudioMetadata['format'] = { trackInfo: [], tagTypes: [] };
const codecs: Readonly<Record<string, string>> = { PCM: 'Pulse Code Modulation (PCM)' };

/** Reads what a file of sound or film says about itself; null if it is another file or says nothing. Texts are not filtered. */
export async function readRecording(path: string, type: string): Promise<Recording | null> {
  if (!['audio', 'video'].includes(mainType(type))) return null;
  const parsed = await parsedIn(path);
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const found = { ...(await soundIn(file, size, parsed)), ...(await filmIn(file, size, parsed)) };
    const known = Object.entries(found).filter(([, value]) => value !== undefined && value !== '');
    return known.length === 0 ? null : Object.fromEntries(known);
  } finally {
    await file.close();
  }
}

async function soundIn(file: FileHandle, size: number, parsed: IAudioMetadata | null): Promise<Found> {
  const format = parsed?.format ?? unknown;
  const named = format.container ?? 'MPEG';
  const frames = named === 'MPEG' ? await countFrames(file, size) : null;
  const kind = frames === null && format.container === undefined ? undefined : kinds[named];
  if (kind === undefined) return {};
  const { container, type } = kind;
  const isLame = format.tool?.startsWith('LAME') === true;
  return {
    container,
    sound: format.codec === 'Opus' ? 'opus' : (kind.sound ?? container),
    type,
    ...heard(format),
    ...(frames === null ? {} : { channels: frames.channels, sampleRate: frames.sampleRate, lossless: false }),
    codec: isLame ? 'LAME' : container === 'mp3' ? undefined : text(codecs[format.codec ?? ''] ?? format.codec),
    encoder: text(format.tool),
    channelMode: frames?.channelMode,
    bitrate: positive(frames?.bitrate ?? format.bitrate),
    bitrateMode: frames?.bitrateMode ?? (container === 'wav' || format.codecProfile === 'CBR' ? 'cbr' : 'vbr'),
    length: whole(frames?.duration ?? (container === 'ogg' ? await oggLength(file, size, format) : format.duration)),
    tags: parsed === null ? undefined : tagsIn(parsed),
  };
}

/** The last page says how many samples there are up to it; the library reads all pages for that. In seconds. */
async function oggLength(
  file: FileHandle,
  size: number,
  format: IAudioMetadata['format'],
): Promise<number | undefined> {
  const start = Math.max(0, size - LAST_PAGE);
  const end = await bytesAt(file, start, LAST_PAGE);
  const at = end.lastIndexOf('OggS', end.length - 14);
  if (at < 0 || format.sampleRate === undefined) return format.duration;
  return Number(end.readBigInt64LE(at + 6)) / (format.codec === 'Opus' ? OPUS : format.sampleRate);
}

/** The library knows neither pictures nor the length of a film without sound. */
async function filmIn(file: FileHandle, size: number, parsed: IAudioMetadata | null): Promise<Found> {
  const { format } = parsed ?? {};
  const shown = format?.trackInfo.find(({ video }) => video !== undefined)?.video;
  if (shown !== undefined) return { width: whole(shown.pixelWidth), height: whole(shown.pixelHeight) };
  const movie = kinds[format?.container ?? ''] === undefined ? await readMovie(file, size) : null;
  if (movie === null) return {};
  const { created, duration, picture } = movie;
  const { container, sound, type } = picture === null ? filmOfSound : film;
  return {
    container,
    sound: sound ?? container,
    type,
    ...(format === undefined ? {} : heard(format)),
    codec: text(format?.codec),
    bitrate: positive(format?.bitrate),
    length: whole(duration || format?.duration),
    created: created ?? undefined,
    width: whole(picture?.width),
    height: whole(picture?.height),
  };
}

function heard({ numberOfChannels, sampleRate, bitsPerSample, lossless }: IAudioMetadata['format']): Found {
  return {
    channels: whole(numberOfChannels),
    sampleRate: whole(sampleRate),
    bitsPerSample: whole(bitsPerSample),
    lossless: lossless ?? undefined,
  };
}

/** Tags of ID3; those of other formats are not shown. */
function tagsIn({ common, format }: IAudioMetadata): RecordingTags | undefined {
  if (!format.tagTypes.some((type) => type.startsWith('ID3'))) return undefined;
  // The library takes a slash in ID3v2.3 for a list: AC/DC.
  const isOld = format.tagTypes.includes('ID3v2.3');
  const tags = {
    title: common.title,
    artist: isOld ? common.artists?.join('/') : common.artist,
    album: common.album,
    band: common.albumartist,
    composer: common.composer?.[0],
    genre: common.genre?.[0],
    year: common.year?.toString(),
    trackNumber: common.track.no?.toString(),
    totalTracks: common.track.of?.toString(),
    comment: common.comment?.[0]?.text,
    publisher: common.label?.[0],
    copyright: common.copyright,
  };
  const known = Object.entries(tags).flatMap(([name, value]) => {
    const clean = text(value) ?? '';
    return clean === '' ? [] : [[name, clean] as const];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

function whole(value: number | undefined): number | undefined {
  const rounded = Math.round(value ?? 0);
  return Number.isSafeInteger(rounded) && rounded > 0 ? rounded : undefined;
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined;
}

function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const clean = value.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '');
  return clean.slice(0, LONGEST).trim().toWellFormed();
}

/** What the library finds within the limits; what it has found until a limit or a damage still counts. Null for nothing. */
async function parsedIn(path: string): Promise<IAudioMetadata | null> {
  const [{ parseFromTokenizer }, { fromFile }] = await Promise.all([import('music-metadata'), import('strtok3')]);
  const tokenizer = await fromFile(path);
  let [bytes, pieces] = [limits.bytes, limits.pieces];
  for (const name of ['readBuffer', 'peekBuffer'] as const) {
    const take = tokenizer[name].bind(tokenizer);
    tokenizer[name] = (buffer, options) => {
      bytes -= buffer.length;
      pieces -= 1;
      if (bytes < 0 || pieces < 0) throw new RangeError('the file is too long to be read to its end');
      return take(buffer, options);
    };
  }
  let partial: IAudioMetadata | null = null;
  let found = 0;
  const observer = ({ metadata }: { metadata: IAudioMetadata }) => {
    partial = metadata;
    found += 1;
    if (found > limits.found) throw new RangeError('the file says too much');
  };
  try {
    return await parseFromTokenizer(tokenizer, { skipCovers: true, mkvUseIndex: true, observer });
  } catch {
    return partial;
  } finally {
    await tokenizer.close();
  }
}
