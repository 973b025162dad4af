import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { BucketAddress } from './address.ts';
import { removeFile } from './disk.ts';
import {
  type ListedObject,
  type ObjectInfo,
  ObjectMissing,
  type ObjectPart,
  type ObjectStore,
  ObjectsUnavailable,
} from './port.ts';

/** Part size of large uploads in bytes, with two parts in memory. A bucket allows 10,000 parts per object. */
const partBytes = 8 * 1024 * 1024;
const maxParts = 9000;
/** Maximum milliseconds for connecting, and between bytes of a connection. */
const connectionTimeout = 3000;
const socketTimeout = 20_000;

/** Objects in a bucket of an S3 server. Its client finds credentials in the environment. */
export function openBucket(address: BucketAddress): ObjectStore {
  const bucket = new Bucket(address);
  return {
    address: bucket.name,
    head: (key) => bucket.head(key),
    remove: (key) => bucket.remove(key),
    read: (key, part) => bucket.read(key, part),
    put: (key, source) => bucket.upload(key, source, 2 * partBytes),
    async take(key, path) {
      const { size } = await stat(path);
      await bucket.upload(key, createReadStream(path), Math.max(partBytes, Math.ceil(size / maxParts)));
      await removeFile(path);
    },
    list: (start) => bucket.list(start),
    now: () => bucket.now(),
    pathOf: () => null,
    close: () => bucket.close(),
  };
}

class Bucket {
  readonly name: string;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #client: S3Client;

  constructor(address: BucketAddress) {
    const { bucket, prefix } = address;
    this.name = `s3://${bucket}/${prefix}`;
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.#client = clientOf(address);
  }

  async head(key: string): Promise<ObjectInfo | null> {
    const found = await this.#reached(this.#client.send(new HeadObjectCommand(this.#at(key))).catch(nullIfMissing));
    return found && infoOf(found.ContentLength, found.LastModified, found.ETag);
  }

  async remove(key: string): Promise<void> {
    await this.#reached(this.#client.send(new DeleteObjectCommand(this.#at(key))));
  }

  async read(key: string, part?: ObjectPart): Promise<Readable> {
    const range = part === undefined ? {} : { Range: `bytes=${part.start}-${part.end}` };
    const asked = new GetObjectCommand({ ...this.#at(key), ...range });
    const found = await this.#reached(this.#client.send(asked).catch(nullIfMissing));
    if (found === null) throw new ObjectMissing(`${key} is missing in ${this.name}`);
    return Readable.from(this.#named(found.Body as Readable), { objectMode: false });
  }

  async upload(key: string, source: AsyncIterable<Uint8Array>, partSize: number): Promise<void> {
    let fault: { readonly error: unknown } | null = null;
    const noted = async function* () {
      try {
        yield* source;
      } catch (error) {
        fault = { error };
        throw error;
      }
    };
    const params = { ...this.#at(key), Body: Readable.from(noted(), { objectMode: false }) };
    const work = new Upload({ client: this.#client, params, queueSize: 2, partSize }).done();
    await this.#reached(work).catch((error: unknown) => {
      throw fault === null ? error : fault.error;
    });
  }

  async *list(start: string): AsyncGenerator<ListedObject> {
    const asked = { Bucket: this.#bucket, Prefix: `${this.#prefix}${start}` };
    const iterator = paginateListObjectsV2({ client: this.#client }, asked)[Symbol.asyncIterator]();
    for (;;) {
      const { done, value } = await this.#reached(iterator.next());
      if (done) return;
      for (const { Key = '', Size, LastModified, ETag } of value.Contents ?? []) {
        yield { key: Key.slice(this.#prefix.length), ...infoOf(Size, LastModified, ETag) };
      }
    }
  }

  /** The time by the clock of the server. */
  async now(): Promise<number> {
    const key = `tmp/${randomUUID()}`;
    await this.upload(key, Readable.from([Buffer.from('now')]), partBytes);
    const info = await this.head(key);
    await this.remove(key);
    if (info === null) throw new ObjectsUnavailable(`${this.name} does not show what was put there`);
    return info.changed;
  }

  close(): void {
    this.#client.destroy();
  }

  #at(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#bucket, Key: `${this.#prefix}${key}` };
  }

  async #reached<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw new ObjectsUnavailable(`${this.name} cannot be used: ${wordsOf(error)}`, { cause: error });
    }
  }

  async *#named(body: Readable): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (error) {
      throw new ObjectsUnavailable(`${this.name} broke off: ${wordsOf(error)}`, { cause: error });
    }
  }
}

function clientOf({ endpoint, region, pathStyle }: BucketAddress): S3Client {
  return new S3Client({
    forcePathStyle: pathStyle,
    requestHandler: { connectionTimeout, socketTimeout },
    ...(region === undefined && endpoint === undefined
      ? {}
      : { region: region ?? process.env['AWS_REGION'] ?? 'us-east-1' }),
    // Not all other servers know the checksums that the client adds for Amazon.
    ...(endpoint === undefined
      ? {}
      : { endpoint, requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' }),
  });
}

function infoOf(bytes = 0, changed = new Date(0), tag = ''): ObjectInfo {
  return { bytes, changed: changed.getTime(), version: `${bytes} ${tag}` };
}

function nullIfMissing(error: unknown): null {
  if (error instanceof S3ServiceException && ['NoSuchKey', 'NotFound'].includes(error.name)) return null;
  throw error;
}

function wordsOf(error: unknown): string {
  if (error instanceof AggregateError) return wordsOf(error.errors[0]);
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
