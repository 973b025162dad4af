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
import { type ObjectInfo, ObjectMissing, type ObjectStore, ObjectsUnavailable } from './port.ts';

/** Part size of large uploads in bytes, with two parts in memory. A bucket allows 10,000 parts per object. */
const partBytes = 8 * 1024 * 1024;
const maxParts = 9000;
/** Maximum milliseconds for connecting, and between bytes of a connection. */
const connectionTimeout = 3000;
const socketTimeout = 20_000;

/** Objects in a bucket of an S3 server. Its client finds credentials in the environment. */
export function openBucket(address: BucketAddress): ObjectStore {
  const { bucket, prefix, endpoint, region, pathStyle } = address;
  const name = `s3://${bucket}/${prefix}`;
  const client = new S3Client({
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
  const at = (key: string) => ({ Bucket: bucket, Key: `${prefix}${key}` });

  async function reached<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw new ObjectsUnavailable(`${name} cannot be used: ${wordsOf(error)}`, { cause: error });
    }
  }

  async function head(key: string): Promise<ObjectInfo | null> {
    const found = await reached(client.send(new HeadObjectCommand(at(key))).catch(nullIfMissing));
    return found && infoOf(found.ContentLength, found.LastModified, found.ETag);
  }

  async function upload(key: string, source: AsyncIterable<Uint8Array>, partSize: number): Promise<void> {
    let fault: { readonly error: unknown } | null = null;
    const noted = async function* () {
      try {
        yield* source;
      } catch (error) {
        fault = { error };
        throw error;
      }
    };
    const params = { ...at(key), Body: Readable.from(noted(), { objectMode: false }) };
    const work = new Upload({ client, params, queueSize: 2, partSize }).done();
    await reached(work).catch((error: unknown) => {
      throw fault === null ? error : fault.error;
    });
  }

  async function* told(body: Readable): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } catch (error) {
      throw new ObjectsUnavailable(`${name} broke off: ${wordsOf(error)}`, { cause: error });
    }
  }

  const remove = async (key: string) => void (await reached(client.send(new DeleteObjectCommand(at(key)))));

  return {
    address: name,
    head,
    remove,
    async read(key, part) {
      const range = part === undefined ? {} : { Range: `bytes=${part.start}-${part.end}` };
      const found = await reached(client.send(new GetObjectCommand({ ...at(key), ...range })).catch(nullIfMissing));
      if (found === null) throw new ObjectMissing(`${key} is missing in ${name}`);
      return Readable.from(told(found.Body as Readable), { objectMode: false });
    },
    put: (key, source) => upload(key, source, 2 * partBytes),
    async take(key, path) {
      const { size } = await stat(path);
      await upload(key, createReadStream(path), Math.max(partBytes, Math.ceil(size / maxParts)));
      await removeFile(path);
    },
    async *list(start) {
      const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `${prefix}${start}` });
      const iterator = pages[Symbol.asyncIterator]();
      for (;;) {
        const { done, value } = await reached(iterator.next());
        if (done) return;
        for (const { Key = '', Size, LastModified, ETag } of value.Contents ?? []) {
          yield { key: Key.slice(prefix.length), ...infoOf(Size, LastModified, ETag) };
        }
      }
    },
    async now() {
      const key = `tmp/${randomUUID()}`;
      await upload(key, Readable.from([Buffer.from('now')]), partBytes);
      const info = await head(key);
      await remove(key);
      if (info === null) throw new ObjectsUnavailable(`${name} does not show what was put there`);
      return info.changed;
    },
    pathOf: () => null,
    close: () => client.destroy(),
  };
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
