import { createHash } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseQuery } from '#text/query-string.ts';
import { namedTag } from '../message/etag.ts';
import { route } from '../server/exchange.ts';

type Colour = readonly [red: number, green: number, blue: number];

export interface Drawing {
  readonly side: number;
  readonly colours: readonly [paper: Colour, ink: Colour];
  /** Rows of pixels with the same number are the same. */
  readonly rowAt: (y: number) => number;
  readonly isInk: (x: number, row: number) => boolean;
}

/** Version of the drawing; raise it when pictures change. */
const VERSION = 2;
/** Anybody may ask for any number of pictures: this one takes a tenth of a millisecond. */
const LARGEST = 512;
const USUAL = 80;
/** No response may run scripts. */
const INERT = "default-src 'none'; sandbox";

/** Squares per side. The left half is mirrored. */
const FIELDS = 5;
const PAPER: Colour = [240, 240, 240];

/** Serves the pictures of people. There is one for every digest, so that a picture does not reveal whether somebody has an account. */
export function addAvatars(app: FastifyInstance): void {
  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const started = performance.now();
    const { url = '', headers } = request.raw;
    const [path = '', query = ''] = url.split(/\?(.*)/s);
    const digest = (path.split('/')[2] ?? '').toLowerCase();
    const side = sideIn(query);
    const tag = `"avatar-${VERSION}-${digest}-${side}"`;
    reply.headers({
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Content-Security-Policy': INERT,
      ETag: tag,
    });
    const sent = headers['if-none-match'];
    const named = sent === undefined ? null : namedTag(sent, tag);
    if (named !== null) reply.code(304).header('ETag', named).send();
    else reply.code(200).type('image/png').send(identicon(digest, side));
    request.answered = { route: 'avatar', actor: 0, position: null, ms: performance.now() - started };
    return reply;
  };
  app.route(route(['GET', 'HEAD'], '/avatar/:digest(^(?:[\\da-fA-F]{32}|[\\da-fA-F]{64})$)', answer));
}

/** Pixels per side: `s` or `size`. `d`, the default picture, is never needed. */
function sideIn(query: string): number {
  const { s, size } = parseQuery(query);
  const sent = s ?? size;
  return typeof sent === 'string' && /^\d{1,9}$/.test(sent) && Number(sent) > 0
    ? Math.min(Number(sent), LARGEST)
    : USUAL;
}

/** An abstract picture for a person, always the same for the same text. `side` in pixels. */
export function identicon(text: string, side: number): Buffer {
  const digest = createHash('sha256').update(text).digest();
  const half = Math.ceil(FIELDS / 2);
  const fields = Array.from({ length: FIELDS * half }, (_, i) => ((digest[2 + i] ?? 0) & 1) === 1);
  // No picture is empty.
  fields[half * 2 + 1] ||= !fields.includes(true);
  const hue = digest.readUInt16BE(0) % 360;
  const fieldOf = (pixel: number) => Math.floor(((pixel + 0.5) * (FIELDS + 1)) / side - 0.5);
  const isInk = (x: number, row: number) => {
    const column = fieldOf(x);
    if (column < 0 || row < 0 || column >= FIELDS || row >= FIELDS) return false;
    return fields[row * half + Math.min(column, FIELDS - 1 - column)] === true;
  };
  return squarePng({ side, colours: [PAPER, colourOf(hue)], rowAt: fieldOf, isInk });
}

function colourOf(hue: number): Colour {
  const part = (shift: number): number => {
    const k = (shift + hue / 30) % 12;
    return Math.round(255 * (LIGHTNESS - SATURATION * LIGHTNESS * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [part(0), part(8), part(4)];
}

const LIGHTNESS = 0.4;
const SATURATION = 0.55;

/**
 * A square picture in two colours, as PNG. Written by hand: `sharp` takes more than ten times the processor time, and its files are
 * larger (ADR 66).
 */
function squarePng({ side, colours, rowAt, isInk }: Drawing): Buffer {
  const rowBytes = 1 + Math.ceil(side / 8);
  const drawn = new Map<number, Buffer>();
  const draw = (row: number): Buffer => {
    const bits = Buffer.alloc(rowBytes);
    for (let x = 0; x < side; x++) if (isInk(x, row)) bits[1 + (x >> 3)]! |= 0x80 >> (x & 7);
    drawn.set(row, bits);
    return bits;
  };
  const rows = Array.from({ length: side }, (_, y) => drawn.get(rowAt(y)) ?? draw(rowAt(y)));
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit per pixel, an index into the palette.
  header.set([1, 3, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colours.flat())),
    // The best compression takes five times as long, for some hundred bytes less.
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const made = Buffer.alloc(named.length + 8);
  made.writeUInt32BE(data.length, 0);
  named.copy(made, 4);
  made.writeUInt32BE(crc32(named), named.length + 4);
  return made;
}
