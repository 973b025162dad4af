import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { collectVariables, type Params } from '#text/query-string.ts';
import { NO_ROOM, TOO_LARGE } from './limits.ts';
import type { IncomingFile, SentFile } from './types.ts';

/** Receives a file; false if the rest of the body need not be read. */
export type TakeFile = (
  file: IncomingFile & { readonly type: string },
  bytes: AsyncIterable<Buffer>,
) => Promise<boolean>;

export type Form = { readonly params: Params } | { readonly refusal: Refusal };

export interface FormOptions {
  /** The `Content-Type` header. */
  readonly type: string;
  /** Maximum bytes of all fields together. */
  readonly limit: number;
  /** Reserves memory for the bytes of a field; false if there is none left. */
  readonly hold?: ((bytes: number) => boolean) | undefined;
  readonly take: TakeFile;
}

/** One part of a multipart body. Bytes that are not read are skipped before the next part. */
interface FormPart {
  readonly head: string;
  /** Throws `CutShort` if the body ends within the part. */
  readonly bytes: AsyncIterable<Buffer>;
}

export interface PartHead {
  /** Name of the field; null if it has none. */
  readonly name: string | null;
  /** Name of the file as the client gave it, without folders; null if the part is not a file. */
  readonly file: string | null;
  readonly type: string;
}

const MAX_PARTS = 2000;
const NAMELESS = refuse('rest_invalid_multipart', 'A field of the multipart body has no name.');
const TOO_MANY = refuse('rest_invalid_multipart', `The multipart body has more than ${MAX_PARTS} parts.`);
const FOLD = /\r\n[ \t]+/g;
const PARAMETER = /;\s*([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))/g;
const EXTENDED = /^utf-8'[^']*'(.*)$/i;
const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^\s;,"]+))/i;

export async function parseMultipart(
  body: Buffer,
  type: string,
): Promise<{ readonly form?: Params; readonly files: readonly SentFile[]; readonly broken?: Refusal }> {
  const files: SentFile[] = [];
  const take: TakeFile = async (file, bytes) => {
    const chunks: Buffer[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    files.push({ ...file, bytes: Buffer.concat(chunks) });
    return true;
  };
  const form = await readForm(only(body), { type, limit: body.length, take });
  return 'refusal' in form ? { files, broken: form.refusal } : { form: form.params, files };
}

async function* only(body: Buffer): AsyncIterable<Buffer> {
  yield body;
}

/**
 * Reads a multipart form part by part. Of a truncated form, the parts that arrived count; parts that are neither fields nor files
 * are skipped. Rejects with the errors of `chunks` and of `take`.
 */
export async function readForm(chunks: AsyncIterable<Buffer>, { type, limit, hold, take }: FormOptions): Promise<Form> {
  const fields = collectVariables();
  const boundary = boundaryIn(type);
  if (boundary === null) return { params: fields.params() };
  let parts = 0;
  let size = 0;
  try {
    for await (const part of formPartsOf(chunks, boundary)) {
      parts += 1;
      if (parts > MAX_PARTS) return { refusal: TOO_MANY };
      const head = readPartHead(part.head);
      if (head === null) continue;
      if (head.file !== null) {
        const file = { field: head.name ?? '', name: head.file, type: head.type };
        if (!(await take(file, part.bytes))) break;
        continue;
      }
      if (head.name === null) return { refusal: NAMELESS };
      const value = await wholeOf(part, { limit: limit - size, hold });
      if (!Buffer.isBuffer(value)) return { refusal: value };
      size += value.length;
      fields.add(head.name, value.toString('utf8'));
    }
  } catch (error) {
    if (!(error instanceof CutShort)) throw error;
  }
  return { params: fields.params() };
}

async function wholeOf(
  { bytes }: FormPart,
  { limit, hold }: Pick<FormOptions, 'limit' | 'hold'>,
): Promise<Buffer | Refusal> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > limit) return TOO_LARGE;
    if (hold?.(chunk.length) === false) return NO_ROOM;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

class CutShort extends Error {
  override readonly name = 'CutShort';
}

const LONGEST_HEAD = 16 * 1024;
const LINE = Buffer.from('\r\n');
const END_OF_HEAD = Buffer.from('\r\n\r\n');
const NOTHING = Buffer.alloc(0);

/**
 * Splits a multipart body as it arrives. A pull interface: there is no listener whose exceptions would go uncaught, and the reader
 * sets the pace. WriteOutcome by hand: `@fastify/busboy` takes a part that was cut short for a whole one (ADR 66).
 */
async function* formPartsOf(chunks: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<FormPart> {
  const iterator = chunks[Symbol.asyncIterator]();
  const section = new Section(iterator, Buffer.from(`\r\n--${boundary}`));
  try {
    for (;;) {
      while ((await section.next()) !== null);
      if (!section.enter()) return;
      const start = await startOf(section);
      if (start.subarray(0, 2).toString('latin1') === '--') return;
      const end = endOfHead(start);
      if (end === -1) continue;
      const head = start.toString('utf8', Math.min(LINE.length, end), end);
      yield { head, bytes: bytesOf(section, start.subarray(end + END_OF_HEAD.length)) };
    }
  } finally {
    await iterator.return?.();
  }
}

class Section {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #delimiter: Buffer;
  #buffered: Buffer = LINE;
  #state: 'inside' | 'at delimiter' | 'at end' = 'inside';

  constructor(chunks: AsyncIterator<Buffer>, delimiter: Buffer) {
    this.#chunks = chunks;
    this.#delimiter = delimiter;
  }

  get isCutShort(): boolean {
    return this.#state === 'at end';
  }

  /** Moves on to the section after the delimiter; false if there is none. */
  enter(): boolean {
    if (this.#state === 'at delimiter') this.#state = 'inside';
    return this.#state === 'inside';
  }

  /** The next bytes; null at the end of the section. */
  async next(): Promise<Buffer | null> {
    while (this.#state === 'inside') {
      const at = this.#buffered.indexOf(this.#delimiter);
      if (at > 0) return this.#take(at);
      if (at === 0) {
        this.#take(this.#delimiter.length);
        this.#state = 'at delimiter';
        return null;
      }
      const sure = this.#buffered.length - this.#delimiter.length + 1;
      if (sure > 0) return this.#take(sure);
      const { done, value } = await this.#chunks.next();
      if (done === true) {
        this.#state = 'at end';
        return this.#buffered.length > 0 ? this.#take(this.#buffered.length) : null;
      }
      this.#buffered = this.#buffered.length > 0 ? Buffer.concat([this.#buffered, value]) : value;
    }
    return null;
  }

  #take(size: number): Buffer {
    const taken = this.#buffered.subarray(0, size);
    this.#buffered = this.#buffered.subarray(size);
    return taken;
  }
}

/** The head of a section and the bytes that arrived with it. */
async function startOf(section: Section): Promise<Buffer> {
  let start: Buffer = NOTHING;
  while (start.length <= LONGEST_HEAD && endOfHead(start) === -1) {
    const piece = await section.next();
    if (piece === null) break;
    start = start.length > 0 ? Buffer.concat([start, piece]) : piece;
  }
  return start;
}

function endOfHead(start: Buffer): number {
  return start.subarray(0, LONGEST_HEAD).indexOf(END_OF_HEAD);
}

function bytesOf(section: Section, first: Buffer): AsyncIterable<Buffer> {
  let buffered: Buffer | null = first.length > 0 ? first : null;
  const next = async (): Promise<IteratorResult<Buffer, undefined>> => {
    const value = buffered ?? (await section.next());
    buffered = null;
    if (value !== null) return { done: false, value };
    if (section.isCutShort) throw new CutShort('the body ended within a part');
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

/** The boundary in a content type; null if it has none, or one that is far longer than the 70 characters of RFC 2046. */
function boundaryIn(contentType: string): string | null {
  const found = BOUNDARY.exec(contentType);
  const boundary = found?.[1] ?? found?.[2] ?? '';
  return boundary === '' || boundary.length > 200 ? null : boundary;
}

/**
 * Reads the head of a part. Null: the part is neither a field nor a file of a form. WriteOutcome by hand: `@fastify/busboy` prefers
 * `filename` to `filename*`, and drops a part for one malformed line (ADR 66).
 */
function readPartHead(text: string): PartHead | null {
  const lines = text.replace(FOLD, ' ').split('\r\n');
  const disposition = headerIn(lines, 'content-disposition');
  if (disposition === null || !/^form-data\s*(?:;|$)/i.test(disposition)) return null;
  const given = parametersIn(disposition);
  const type = headerIn(lines, 'content-type')?.split(';', 1)[0]?.trim().toLowerCase() || 'text/plain';
  const file = extended(given.get('filename*')) ?? given.get('filename') ?? null;
  return {
    name: given.get('name') ?? null,
    file: file === null ? unnamed(type) : withoutFolders(file),
    type,
  };
}

function headerIn(lines: readonly string[], name: string): string | null {
  const line = lines.find((one) => one.slice(0, name.length + 1).toLowerCase() === `${name}:`);
  return line === undefined ? null : line.slice(name.length + 1).trim();
}

function parametersIn(header: string): ReadonlyMap<string, string> {
  const found = [...header.matchAll(PARAMETER)].map(
    ([, name = '', quoted, plain = '']) =>
      [name.toLowerCase(), quoted === undefined ? plain : quoted.replace(/\\(["\\])/g, '$1')] as const,
  );
  return new Map(found);
}

function extended(value: string | undefined): string | null {
  const encoded = value === undefined ? null : EXTENDED.exec(value)?.[1];
  try {
    return encoded === null || encoded === undefined ? null : decodeURIComponent(encoded);
  } catch {
    return null;
  }
}

function unnamed(type: string): string | null {
  return type === 'application/octet-stream' ? '' : null;
}

function withoutFolders(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
