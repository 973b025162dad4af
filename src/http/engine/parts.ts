/** One part of a multipart body. Bytes that are not read are skipped before the next part. */
export interface FormPart {
  readonly head: string;
  /** Throws `CutShort` if the body ends within the part. */
  readonly bytes: AsyncIterable<Buffer>;
}

export class CutShort extends Error {
  override readonly name = 'CutShort';
}

const LONGEST_HEAD = 16 * 1024;
const LINE = Buffer.from('\r\n');
const END_OF_HEAD = Buffer.from('\r\n\r\n');
const NOTHING = Buffer.alloc(0);

/**
 * Splits a multipart body as it arrives. A pull interface: there is no listener whose exceptions would go uncaught, and the reader
 * sets the pace. Written by hand: `@fastify/busboy` takes a part that was cut short for a whole one (ADR 66).
 */
export async function* formPartsOf(chunks: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<FormPart> {
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
  #held: Buffer = LINE;
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
      const at = this.#held.indexOf(this.#delimiter);
      if (at > 0) return this.#take(at);
      if (at === 0) {
        this.#take(this.#delimiter.length);
        this.#state = 'at delimiter';
        return null;
      }
      const sure = this.#held.length - this.#delimiter.length + 1;
      if (sure > 0) return this.#take(sure);
      const { done, value } = await this.#chunks.next();
      if (done === true) {
        this.#state = 'at end';
        return this.#held.length > 0 ? this.#take(this.#held.length) : null;
      }
      this.#held = this.#held.length > 0 ? Buffer.concat([this.#held, value]) : value;
    }
    return null;
  }

  #take(size: number): Buffer {
    const taken = this.#held.subarray(0, size);
    this.#held = this.#held.subarray(size);
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
  let held: Buffer | null = first.length > 0 ? first : null;
  const next = async (): Promise<IteratorResult<Buffer, undefined>> => {
    const value = held ?? (await section.next());
    held = null;
    if (value !== null) return { done: false, value };
    if (section.isCutShort) throw new CutShort('the body ended within a part');
    return { done: true, value: undefined };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}
