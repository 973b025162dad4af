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
  #taken: Promise<unknown> = Promise.resolve();

  constructor(body: UnreadBody, parser: BusboyInstance, take: TakeFile) {
    this.#body = body;
    this.#parser = parser;
    this.#take = take;
    this.result = new Promise((resolve, reject) => {
      const done = () => this.#taken.then(() => resolve(this.#fields.params()), reject);
      const stop = (value: Params | null) => {
        this.#leave();
        resolve(value);
      };
      const fail = (error: Error) => {
        this.#leave();
        this.#file?.destroy(error);
        reject(error);
      };
      parser.on('field', (name, value) => {
        this.#size += value.length;
        if (this.#size > body.limit) stop(null);
        else this.#fields.add(name, value);
      });
      parser.on('file', (field, file, name) => {
        this.#taken = this.#takeIn({ field, name: name ?? '' }, file).then((goOn) => {
          if (!goOn) stop(this.#fields.params());
        });
        this.#taken.catch(fail);
      });
      // A form that ends in the middle counts for as much as came.
      parser.on('error', done);
      parser.on('finish', done);
      body.bytes.once('error', fail);
      body.bytes.once('close', () => fail(new Error('the client has gone')));
      body.bytes.pipe(parser);
    });
  }

  async #takeIn(file: IncomingFile, bytes: BusboyFileStream): Promise<boolean> {
    let broken = false;
    bytes.once('error', () => {
      broken = true;
    });
    this.#file = bytes;
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

  #leave(): void {
    this.#body.bytes.unpipe(this.#parser);
    this.#body.bytes.pause();
  }
}
