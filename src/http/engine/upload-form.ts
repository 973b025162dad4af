import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { collectVariables } from './query-string.ts';
import type { Params } from './table.ts';
import type { IncomingFile } from './types.ts';
import type { UnreadBody } from './unread.ts';

/** Takes a file in; false when nothing more needs to be read. */
export type TakeFile = (file: IncomingFile, bytes: AsyncIterable<Buffer>) => Promise<boolean>;

/**
 * Reads a multipart form as it arrives, one file after the other. Answers its fields, as far as it could be read or
 * was wanted; null when they are longer than allowed. Fails when the client goes away, or as `take` does.
 */
export function readForm(body: UnreadBody, type: string, take: TakeFile): Promise<Params | null> {
  const parser = openParser(type, body.limit);
  return parser === null ? Promise.resolve(Object.create(null)) : new FormReading(body, parser, take).result;
}

/** A content type without a boundary makes the parser throw. */
function openParser(type: string, limit: number): BusboyInstance | null {
  try {
    const limits = { fieldSize: limit, fields: 1000, parts: 2000 };
    return new Busboy({ headers: { 'content-type': type }, limits });
  } catch {
    return null;
  }
}

class FormReading {
  readonly result: Promise<Params | null>;
  readonly #body: UnreadBody;
  readonly #parser: BusboyInstance;
  readonly #take: TakeFile;
  readonly #fields = collectVariables();
  #size = 0;
  #file: BusboyFileStream | null = null;
  /** Ends with the last file that was begun. */
  #taking: Promise<unknown> = Promise.resolve();
  #isOver = false;
  #settle: { resolve: (params: Params | null) => void; reject: (error: unknown) => void };

  constructor(body: UnreadBody, parser: BusboyInstance, take: TakeFile) {
    this.#body = body;
    this.#parser = parser;
    this.#take = take;
    const { promise, resolve, reject } = Promise.withResolvers<Params | null>();
    this.#settle = { resolve, reject };
    this.result = promise;
    parser.on('field', (name, value, _, isCut) => this.#addField(name, value, isCut));
    parser.on('file', (field, file, name) => this.#addFile({ field, name: name ?? '' }, file));
    parser.on('finish', () => this.#finish());
    // A form that ends in the middle counts for as much as came of it.
    parser.on('error', (error: Error) => {
      this.#file?.destroy(error);
      this.#finish();
    });
    body.bytes.once('error', this.#fail);
    body.bytes.once('close', this.#lose);
    body.bytes.pipe(parser);
  }

  #addField(name: string, value: string, isCut: boolean): void {
    this.#size += value.length;
    if (isCut || this.#size > this.#body.limit) this.#stop(null);
    else this.#fields.add(name, value);
  }

  #addFile(file: IncomingFile, bytes: BusboyFileStream): void {
    if (this.#isOver) {
      bytes.on('error', () => undefined).resume();
      return;
    }
    this.#file = bytes;
    const taking = this.#takeIn(file, bytes);
    this.#taking = taking;
    taking.then((goOn) => {
      if (!goOn) this.#stop(this.#fields.params());
    }, this.#fail);
  }

  async #takeIn(file: IncomingFile, bytes: BusboyFileStream): Promise<boolean> {
    let broken = false;
    bytes.on('error', () => {
      broken = true;
    });
    try {
      return await this.#take(file, bytes.iterator({ destroyOnReturn: false }));
    } catch (error) {
      if (!broken) throw error;
      return true;
    } finally {
      // What was not wanted of it goes by, so that the form goes on.
      bytes.resume();
    }
  }

  #finish(): void {
    this.#taking.then(() => this.#stop(this.#fields.params()), this.#fail);
  }

  #stop(params: Params | null): void {
    this.#leave(new Error('nothing more is wanted'), () => this.#settle.resolve(params));
  }

  readonly #fail = (error: unknown): void => {
    this.#leave(error, () => this.#settle.reject(error));
  };

  readonly #lose = (): void => {
    if (!this.#body.bytes.readableEnded) this.#fail(new Error('the client has gone'));
  };

  /** What is still being taken in is given up; only when it has been let go of comes the end. */
  #leave(reason: unknown, end: () => void): void {
    const { bytes } = this.#body;
    this.#isOver = true;
    bytes.off('close', this.#lose);
    bytes.unpipe(this.#parser);
    if (this.#file?.readableEnded === false) this.#file.destroy(reason instanceof Error ? reason : undefined);
    this.#taking.then(end, end);
  }
}
