/** A silent WAV file: 44,100 samples a second, two channels, 16 bits. */
export function wavOf(seconds: number): Buffer {
  const length = 44_100 * 4 * seconds;
  const head = Buffer.alloc(44);
  head.write('RIFF....WAVEfmt ', 'latin1');
  head.write('data', 36, 'latin1');
  for (const [at, value] of [
    [4, 36 + length],
    [16, 16],
    [24, 44_100],
    [28, 176_400],
    [40, length],
  ] as const) {
    head.writeUInt32LE(value, at);
  }
  for (const [at, value] of [
    [20, 1],
    [22, 2],
    [32, 4],
    [34, 16],
  ] as const)
    head.writeUInt16LE(value, at);
  return Buffer.concat([head, Buffer.alloc(length)]);
}

/** Frames of MP3, each of 1152 of 44,100 samples a second: 128 kbit/s, or 64 where it is said. */
export function framesOf(count: number, kilobits: 64 | 128 = 128): Buffer {
  const frame = Buffer.alloc(kilobits === 128 ? 417 : 208);
  frame.writeUInt32BE(kilobits === 128 ? 0xfffb9000 : 0xfffb5000);
  return Buffer.concat(Array.from({ length: count }, () => frame));
}

/** A tag of ID3v2.3 with texts in Latin-1. */
export function id3Of(texts: Readonly<Record<string, string>>): Buffer {
  const frames = Object.entries(texts).map(([name, text]) => {
    const head = Buffer.alloc(11);
    head.write(name, 'latin1');
    head.writeUInt32BE(text.length + 1, 4);
    return Buffer.concat([head, Buffer.from(text, 'latin1')]);
  });
  const all = Buffer.concat(frames);
  const size = [21, 14, 7, 0].map((bits) => (all.length >> bits) & 127);
  return Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), Buffer.from(size), all]);
}

/** An Ogg file of Vorbis with two channels, whose pages in the middle are empty. */
export function oggOf(seconds: number, bytes = 0): Buffer {
  const page = (flags: number, samples: number, content: Buffer) => {
    const head = Buffer.alloc(28);
    head.write('OggS', 'latin1');
    head[5] = flags;
    head.writeBigInt64LE(BigInt(samples), 6);
    head[26] = 1;
    head[27] = content.length;
    return Buffer.concat([head, content]);
  };
  const about = Buffer.alloc(30);
  about.write('\x01vorbis', 'latin1');
  about[11] = 2;
  about.writeUInt32LE(44_100, 12);
  about.writeUInt32LE(96_000, 20);
  const middle = Array.from({ length: Math.ceil(bytes / 228) }, () => page(0, 0, Buffer.alloc(200)));
  return Buffer.concat([page(2, 0, about), ...middle, page(4, seconds * 44_100, Buffer.alloc(10))]);
}

/** The header of an MP4 file that is a film without sound, behind its pictures. */
export function filmOf(film: { readonly seconds: number; readonly width: number; readonly height: number }): Buffer {
  const movie = Buffer.alloc(100);
  for (const [at, value] of [
    [4, 2_082_844_800 + 1_772_366_400],
    [12, 1000],
    [16, film.seconds * 1000],
  ] as const) {
    movie.writeUInt32BE(value, at);
  }
  const track = Buffer.alloc(84);
  track.writeUInt16BE(film.width, 76);
  track.writeUInt16BE(film.height, 80);
  const header = box('moov', Buffer.concat([box('mvhd', movie), box('trak', box('tkhd', track))]));
  return Buffer.concat([box('ftyp', Buffer.from('isom\0\0\x02\0isommp42')), box('mdat', Buffer.alloc(5000)), header]);
}

function box(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.length);
  head.write(name, 4, 'latin1');
  return Buffer.concat([head, content]);
}
