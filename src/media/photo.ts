import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import type { Photo } from '#domain/media/photo.ts';

/** Maximum number of bytes that are read of a file: a camera writes its tags before the pixels. */
const HEAD = 512 * 1024;
/** Zeros behind them, as long as a segment can be: one that ends beyond the file would make the others unreadable, too. */
const MARGIN = 64 * 1024;
/** Maximum number of characters of a text, of all but captions, and of keywords. */
const limits = { caption: 8192, text: 1024, keywords: 200 };
/** Texts shorter than this are titles. In bytes. */
const TITLE = 80;

/** Tags of the EXIF directories that are read. Position data are in a third one. */
const directories = {
  ifd0: { description: 270, model: 272, artist: 315, copyright: 33432, windowsComment: 40092, windowsAuthor: 40093 },
  exif: { exposure: 33434, aperture: 33437, iso: 34855, digitized: 36868, focalLength: 37386, comment: 37510 },
} as const;
/** Datasets of IPTC record 2 that are read. */
const datasets = {
  objectName: 5,
  keywords: 25,
  date: 55,
  time: 60,
  byline: 80,
  headline: 105,
  credit: 110,
  copyright: 116,
  caption: 120,
} as const;

const alternative = 'Iptc4xmpCore:AltTextAccessibility';
const inLanguage = /^xml:lang=["']([^"'<>]*)["']>([^<]*)</;
const reference = /&(#\d{1,8}|#x[\da-f]{1,6}|amp|lt|gt|quot|apos);/gi;
const characters: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** What a value of a tag can be here: the bytes of a text, with their order, or numbers. */
type Tag = RawText | number | ArrayLike<number> | undefined;

interface RawText {
  readonly bytes: Buffer;
  readonly isLittleEndian: boolean;
}

interface Tags {
  readonly ifd0: Readonly<Record<number, Tag>>;
  readonly exif: Readonly<Record<number, Tag>>;
  /** Each byte as one character; a list if there are several. */
  readonly iptc: Readonly<Record<number, string | readonly string[]>>;
}

/**
 * Reads what the header of an image says about it: by XMP the alternative text, by EXIF and IPTC everything else, and those only of JPEG and
 * TIFF. Null if it says nothing. What is damaged is left out. Texts are not filtered.
 */
export async function readPhoto(path: string, type: string): Promise<Photo | null> {
  const head = await headOf(path);
  const tags = type === 'image/jpeg' || type === 'image/tiff' ? await tagsIn(head) : {};
  const all = { ...photoFrom({ ifd0: {}, exif: {}, iptc: {}, ...tags }), alternative: alternativeIn(head) };
  const known = Object.entries(all).filter(([, value]) => value.length > 0);
  return known.length === 0 ? null : Object.fromEntries(known);
}

async function tagsIn(head: Buffer): Promise<Partial<Tags>> {
  const parse = await loadParser();
  return (await parse(head).catch(() => undefined)) ?? {};
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    // Memory of its own: the parser follows lengths beyond a buffer, into what shares the memory with it.
    const head = Buffer.alloc(Math.min(size, HEAD) + MARGIN);
    await file.read(head, 0, head.length - MARGIN, 0);
    return head;
  } finally {
    await file.close();
  }
}

function photoFrom({ ifd0, exif, iptc }: Tags): Omit<Required<Photo>, 'alternative'> {
  const of = { ...directories.ifd0, ...directories.exif };
  const first = (dataset: number) => cut(ofLatin(listed(iptc[dataset])[0] ?? ''), limits.caption);
  const camera = (tag: number) => cut(asText(ifd0[tag]), limits.caption);
  const texts = {
    headline: first(datasets.headline) || first(datasets.objectName),
    legend: first(datasets.caption),
    description: camera(of.description),
    comment: cut(asComment(exif[of.comment]), limits.caption),
    note: cut(asWide(ifd0[of.windowsComment]), limits.caption),
  };
  const credit = first(datasets.credit) || first(datasets.byline) || camera(of.artist);
  return {
    ...titled(texts),
    credit: cut(credit || asWide(ifd0[of.windowsAuthor]), limits.text),
    copyright: cut(first(datasets.copyright) || camera(of.copyright), limits.text),
    camera: cut(camera(of.model), limits.text),
    created: created(first(datasets.date), first(datasets.time)) || digitized(asText(exif[of.digitized])),
    aperture: decimal(Math.round(asNumber(exif[of.aperture]) * 100) / 100),
    focalLength: decimal(asNumber(exif[of.focalLength])),
    iso: decimal(asNumber(exif[of.iso])),
    shutterSpeed: decimal(asNumber(exif[of.exposure])),
    keywords: listed(iptc[datasets.keywords])
      .slice(0, limits.keywords)
      .map((word) => cut(ofLatin(word), limits.text))
      .filter((word) => word !== ''),
  };
}

/** The alternative text in the XMP data of an image, in the language that it calls the default. */
function alternativeIn(head: Buffer): string {
  const [start, end] = [head.indexOf(`<${alternative}>`), head.indexOf(`</${alternative}>`)];
  if (start < 0 || end < start || end - start > HEAD / 8) return '';
  const items = ofBytes(head.subarray(start, end)).split('<rdf:li ');
  const languages = items.map((item) => inLanguage.exec(item)).filter((found) => found !== null);
  const [, , text = ''] = languages.find(([, language]) => language === 'x-default') ?? languages[0] ?? [];
  return cut(text.replace(reference, referred), limits.caption);
}

function referred(found: string, name: string): string {
  const number = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  if (!name.startsWith('#')) return characters[name] ?? found;
  return number > 0 && number <= 0x10ffff ? String.fromCodePoint(number).toWellFormed() : '';
}

interface Described {
  readonly headline: string;
  readonly legend: string;
  readonly description: string;
  readonly comment: string;
  readonly note: string;
}

/** Which texts are title and caption: those of IPTC, then the description, then comments; short ones may be both. */
function titled({ headline, legend, description, comment, note }: Described): { title: string; caption: string } {
  const written = headline || ifShort(legend);
  const title = written || ifShort(description) || (description || legend ? '' : ifShort(comment));
  const joined = description !== title && description !== comment ? `${description} ${comment}`.trim() : comment;
  const described = comment === '' ? description : joined;
  return {
    title: cut(title, limits.text),
    caption: cut(legend || described || note, limits.caption),
  };
}

function ifShort(text: string): string {
  return Buffer.byteLength(text) < TITLE ? text : '';
}

/** A date and a time of IPTC, in seconds since 1970; `''` without both. */
function created(date: string, time: string): string {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)$/.exec(date) ?? [];
  const [, hour, minute, second, sign = '+', hours = 0, minutes = 0] =
    /^(\d\d)(\d\d)(\d\d)(?:([+-])(\d\d)(\d\d))?$/.exec(time) ?? [];
  const utc = seconds(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  const offset = (Number(hours) * 60 + Number(minutes)) * 60 * (sign === '-' ? -1 : 1);
  return utc === null ? '' : String(utc - offset);
}

/** A time of EXIF, which has no zone and is read as UTC; `''` if it is none. */
function digitized(time: string): string {
  const [, date = '', clock = ''] = /^(\d{4}:\d\d:\d\d) (\d\d:\d\d:\d\d)$/.exec(time) ?? [];
  return String(seconds(`${date.replaceAll(':', '-')}T${clock}Z`) ?? '');
}

function seconds(iso: string): number | null {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? null : time / 1000;
}

/** A number with 14 significant digits; `''` for none. */
function decimal(value: number): string {
  if (!Number.isFinite(value) || value === 0) return '';
  const short = Number(value.toPrecision(14));
  return Math.abs(short) >= 1e-4
    ? String(short)
    : short
        .toExponential()
        .replace(/^(-?\d)e/, '$1.0e')
        .toUpperCase();
}

function asNumber(tag: Tag): number {
  if (typeof tag === 'object') return 'bytes' in tag ? 0 : (tag[0] ?? 0);
  return tag ?? 0;
}

function asText(tag: Tag): string {
  return isText(tag) ? ofBytes(tag.bytes) : '';
}

/** A comment, whose first eight bytes name its character set. */
function asComment(tag: Tag): string {
  if (!isText(tag)) return '';
  const [set, bytes] = [tag.bytes.toString('latin1', 0, 8), tag.bytes.subarray(8)];
  if (set === 'UNICODE\0') return asWide({ ...tag, bytes });
  if (set === 'ASCII\0\0\0' || set === '\0'.repeat(8)) return ofBytes(bytes);
  return set.startsWith('JIS\0') ? '' : ofBytes(tag.bytes);
}

/** A text of two bytes per character. */
function asWide(tag: Tag): string {
  if (!isText(tag)) return '';
  const text = new TextDecoder(tag.isLittleEndian ? 'utf-16le' : 'utf-16be').decode(tag.bytes);
  return (text.split('\0', 1)[0] ?? '').trim();
}

function isText(tag: Tag): tag is RawText {
  return typeof tag === 'object' && 'bytes' in tag;
}

function ofLatin(text: string): string {
  return ofBytes(Buffer.from(text, 'latin1'));
}

/** A text up to its first zero, which nearly always is UTF-8 even where the format says otherwise. */
function ofBytes(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  const used = end < 0 ? bytes : bytes.subarray(0, end);
  return used.toString(isUtf8(used) ? 'utf8' : 'latin1').trim();
}

/** Without control characters, and not longer than a limit. */
function cut(text: string, limit: number): string {
  const clean = text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '').slice(0, limit);
  return clean.replace(/[\ud800-\udbff]$/, '').trim();
}

function listed(value: string | readonly string[] | undefined): readonly string[] {
  return typeof value === 'string' ? [value] : (value ?? []);
}

type ParseTags = (bytes: Buffer) => Promise<Partial<Tags> | undefined>;

let parser: Promise<ParseTags> | undefined;

/** Loaded for the first image. */
function loadParser(): Promise<ParseTags> {
  parser ??= import('exifr').then(({ default: { parse, segmentParsers } }) => {
    readRaw(segmentParsers.get('tiff').prototype);
    // One object: the library keeps each that it has seen.
    const options = {
      ifd0: { pick: Object.values(directories.ifd0) },
      exif: { pick: Object.values(directories.exif) },
      ...{
        iptc: true,
        userComment: true,
        gps: false,
        interop: false,
        ifd1: false,
        xmp: false,
        icc: false,
        jfif: false,
      },
      ...{ translateKeys: false, translateValues: false, reviveValues: false, sanitize: false, mergeOutput: false },
    };
    return (bytes) => parse(bytes, options);
  });
  return parser;
}

/** The part of the library that reads one entry of a directory. */
interface TagReader {
  readonly chunk: {
    getUint16(at: number): number;
    getUint32(at: number): number;
    getUint8Array(at: number, length: number): Uint8Array;
  };
  readonly le: boolean;
  parseTag(entry: number, tag: number, directory: string): unknown;
}

/** Types of bytes and texts, and the number of numbers that a value has at most. */
const texts = new Set([1, 2, 7]);
const MOST = 16;

/**
 * Makes the library return texts as bytes: it decodes them as UTF-8, and loses those in Latin-1. A value that is damaged, or says that it
 * has billions of numbers, is left out; otherwise one would hide all others, or take all memory.
 */
function readRaw(reader: TagReader): void {
  const parseNumber = reader.parseTag;
  reader.parseTag = function (entry, tag, directory): Tag {
    const { chunk, le: isLittleEndian } = this;
    try {
      const [type, count] = [chunk.getUint16(entry + 2), chunk.getUint32(entry + 4)];
      if (!texts.has(type)) return count > MOST ? undefined : (parseNumber.call(this, entry, tag, directory) as Tag);
      const at = count <= 4 ? entry + 8 : chunk.getUint32(entry + 8);
      const bytes = Buffer.from(chunk.getUint8Array(at, Math.min(count, 4 * limits.caption)));
      return { bytes, isLittleEndian };
    } catch {
      return undefined;
    }
  };
}
