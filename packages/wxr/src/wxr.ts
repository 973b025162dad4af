import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import {
  type ItemRecord,
  type KnownThing,
  type ReadHow,
  type SiteSource,
  SourceFault,
  type SourceFile,
  type SourcePart,
  type SourcePlace,
  type SourceRecord,
} from './records.ts';
import { XmlBytes } from './wxr-bytes.ts';
import { ownText, type WxrElement } from './wxr-elements.ts';
import { lossNotice } from './wxr-notices.ts';
import { impossibleDates, type WxrAuthors, wxrAuthorOf, wxrItemOf, wxrSiteOf, wxrTermOf } from './wxr-records.ts';
import { type WxrPiece, WxrSplitter } from './wxr-splitter.ts';

const chunkSize = 262_144;
/** Elements of the channel that say nothing which a record could. */
const saidElsewhere = /^(?:pubDate|wp:wxr_version|generator|image|cloud|docs|lastBuildDate|(?!wp:)[\w-]+:[\w-]+)$/;
const typeOfItem = /<[\w-]{1,20}:post_type>(?:<!\[CDATA\[)?\s*([\w-]*)/g;

interface WxrReading {
  readonly how: ReadHow;
  readonly authors: WxrAuthors;
  /** Logins and slugs that were given, and names of elements that were noted. */
  readonly given: Set<string>;
  /** Texts of the channel by name, until the site was given. */
  texts: Map<string, string> | null;
  generator: string;
}

/** A source that reads export files, which are parts of one site. `media`: a folder with the files of its uploads. */
export async function openWxr(
  files: readonly string[],
  options: { readonly media?: string } = {},
): Promise<SiteSource> {
  const first = files[0];
  if (first === undefined) throw new SourceFault('no_file', 'Name at least one export file.');
  let [total, done] = [0, 0];
  for (const file of files) total += await sizeOf(file);
  for (const file of files) for await (const _ of piecesOf(file, () => {})) break;
  return withMadeIds({
    name: basename(first),
    form: 'wxr',
    total,
    unit: 'bytes',
    async *read(how = {}) {
      done = 0;
      const reading: WxrReading = {
        how,
        authors: { ids: new Map(), logins: new Map() },
        given: new Set(),
        texts: new Map(),
        generator: '',
      };
      for (const file of files) {
        const name = basename(file);
        for await (const piece of piecesOf(file, (count) => (done += count), how)) yield* partsOf(piece, reading, name);
      }
      yield* siteFirst(reading, { file: basename(first), line: 1 });
    },
    done: () => done,
    file: async (file) => (options.media === undefined ? null : openMedia(options.media, file)),
  });
}

async function* piecesOf(path: string, onRead: (count: number) => void, how?: ReadHow): AsyncGenerator<WxrPiece> {
  const name = basename(path);
  const [bytes, splitter] = [new XmlBytes(name), new WxrSplitter(name, (item) => isUnwanted(item, how))];
  const flush = function* (chunk: Buffer, isLast: boolean): Generator<WxrPiece> {
    const text = bytes.take(chunk, isLast);
    for (const notice of bytes.notices.splice(0)) yield { notice };
    if (text !== '' || isLast) splitter.take(text, isLast);
    yield* splitter.pieces.splice(0);
  };
  try {
    for await (const chunk of bytesOf(path, onRead)) yield* flush(chunk, false);
  } catch (error) {
    if (!String((error as { code?: unknown }).code).startsWith('Z_')) throw unreadable(error, name);
    yield { notice: lossNotice('gzip_damaged', name, 0) };
  }
  yield* flush(Buffer.alloc(0), true);
}

/** The bytes of a file, decompressed if they begin as gzip does. */
async function* bytesOf(path: string, onRead: (count: number) => void): AsyncGenerator<Buffer> {
  const raw = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(path, { highWaterMark: chunkSize })) {
      onRead(chunk.length);
      yield chunk;
    }
  };
  const source = raw();
  const { value: head, done } = await source.next();
  if (done) return;
  const whole = async function* (): AsyncGenerator<Buffer> {
    try {
      yield head;
      yield* source;
    } finally {
      await source.return(undefined);
    }
  };
  if (head[0] !== 0x1f || head[1] !== 0x8b) yield* whole();
  else yield* pipeline(whole, createGunzip({ chunkSize }), () => {}) as AsyncIterable<Buffer>;
}

function* partsOf(piece: WxrPiece, reading: WxrReading, file: string): Generator<SourcePart> {
  if ('notice' in piece) yield piece;
  else if ('generator' in piece) reading.generator ||= ownText(piece.generator);
  else yield* elementParts(piece.element, reading, { file, line: piece.line });
}

function* elementParts(element: WxrElement, reading: WxrReading, place: SourcePlace): Generator<SourcePart> {
  const { given, authors, how } = reading;
  const isNew = (key: string) => !given.has(key) && given.add(key) !== null;
  if (element.name === 'item') {
    yield* siteFirst(reading, place);
    const { records, unread, lost } = wxrItemOf(element, authors, how.heads === true);
    if (lost !== null) yield { notice: lossNotice(lost, place.file, place.line) };
    for (const name of impossibleDates(element))
      yield { notice: lossNotice('impossible_date', place.file, place.line, `<${name}>`) };
    for (const name of unread) if (isNew(`unread ${name}`)) yield notRead(name, place);
    for (const record of records) if (!isKnown(record, how)) yield { record, place };
    return;
  }
  if (element.name === 'wp:author') {
    yield* siteFirst(reading, place);
    const record = wxrAuthorOf(element);
    authors.ids.set(record.login, record.id);
    if (record.id > 0) authors.logins.set(record.id, record.login);
    if (isNew(`author ${record.login}`)) yield { record, place };
    return;
  }
  const term = wxrTermOf(element);
  if (term !== null) {
    yield* siteFirst(reading, place);
    if (isNew(`term ${term.taxonomy} ${term.slug}`)) yield { record: term, place };
    return;
  }
  const isText = /^(?:title|link|description|language|wp:base_(?:site|blog)_url)$/.test(element.name);
  if (isText && !reading.texts?.has(element.name)) reading.texts?.set(element.name, element.text);
  if (!isText && !saidElsewhere.test(element.name) && isNew(`unread ${element.name}`))
    yield notRead(element.name, place);
}

function* siteFirst(reading: WxrReading, place: SourcePlace): Generator<SourcePart> {
  if (reading.texts === null) return;
  const record = wxrSiteOf(reading.texts, reading.generator);
  reading.texts = null;
  yield { record, place: { file: place.file, line: 1 } };
}

function notRead(name: string, { file, line }: SourcePlace): SourcePart {
  return { notice: lossNotice('element_not_read', file, line, `<${name}>`) };
}

/** Whether nothing in the text of an item is wanted. A text in it may look like a type, so all of them count. */
function isUnwanted(item: string, { wants }: ReadHow = {}): boolean {
  if (wants === undefined || wants('comment', '') || wants('revision', '')) return false;
  const types = [...item.matchAll(typeOfItem)].map(([, type = '']) => type);
  return types.length > 0 && !types.some((type) => wants('item', type));
}

function isKnown(record: SourceRecord, { isKnown: ask }: ReadHow): boolean {
  if (ask === undefined || !('id' in record)) return false;
  const modifiedGmt = 'modifiedGmt' in record ? record.modifiedGmt : 'dateGmt' in record ? record.dateGmt : null;
  const thing: KnownThing = { kind: record.kind, id: record.id, modifiedGmt };
  return ask(thing);
}

async function sizeOf(path: string): Promise<number> {
  try {
    const found = await stat(path);
    if (found.isDirectory())
      throw new SourceFault('file_unreadable', `${path} is a folder: name the export files in it.`);
    return found.size;
  } catch (error) {
    throw unreadable(error, path);
  }
}

function unreadable(error: unknown, name: string): unknown {
  if (error instanceof SourceFault || !(error instanceof Error) || !('syscall' in error)) return error;
  return new SourceFault('file_unreadable', `${name} cannot be read: ${error.message}`);
}

/** The file of an upload below a folder that has the uploads, or has them as the old site does. */
async function openMedia(folder: string, { path, url }: SourceFile): Promise<AsyncIterable<Buffer>> {
  const parts = path.split(/[\\/]/);
  const isBelow = path !== '' && !path.includes('\0') && !parts.includes('..') && parts[0] !== '';
  const places = isBelow ? ['', 'uploads', 'wp-content/uploads'].map((below) => join(folder, below, path)) : [];
  for (const place of places) {
    const found = await stat(place).catch(() => null);
    if (found?.isFile()) return createReadStream(place);
  }
  const what = path === '' ? `The file of ${url}` : `The file ${path}`;
  throw new SourceFault('file_missing', `${what} is not in ${folder}: add it, or read without a folder of files.`);
}

/** A source whose items without an id, or with that of another, have one that is made up: below zero, and the same in each reading. */
function withMadeIds(source: SiteSource): SiteSource {
  return {
    ...source,
    get total() {
      return source.total;
    },
    read: (how) => identified(source, how),
  };
}

async function* identified(source: SiteSource, how: ReadHow | undefined): AsyncGenerator<SourcePart> {
  const items = new Map<number, number>();
  const comments = new Map<number, number>();
  let last = { given: 0, id: 0 };
  for await (const part of source.read(how)) {
    if ('notice' in part) yield part;
    else if (part.record.kind === 'item') {
      const { id } = part.record;
      last = { given: id, id: ownId(items, id, madeId(part.record)) };
      yield { ...part, record: { ...part.record, id: last.id } };
    } else if (part.record.kind === 'comment' || part.record.kind === 'revision') {
      const of = part.record.of === last.given ? last.id : part.record.of;
      const record = { ...part.record, of };
      if (record.kind === 'revision') yield { ...part, record };
      else {
        const made = -1 - hashOf([of, record.date, record.name, record.email]);
        yield { ...part, record: { ...record, id: ownId(comments, record.id, made) } };
      }
    } else yield part;
  }
}

/** The id that something has, unless it has none, or something else had it before. `made`: the one that it has then. */
function ownId(known: Map<number, number>, id: number, made: number): number {
  if (id === 0) return made;
  const first = known.get(id) ?? made;
  known.set(id, first);
  return first === made ? id : made;
}

function madeId({ type, link, guid, slug, title, date }: ItemRecord): number {
  return -1 - hashOf([type, link || guid || [slug, title, date]]);
}

function hashOf(told: unknown): number {
  return createHash('sha256').update(JSON.stringify(told)).digest().readUIntBE(0, 6);
}
