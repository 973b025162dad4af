import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { removeFile } from './disk.ts';
import type { ObjectInfo, ObjectStore } from './port.ts';

/** Header of a sealed object, followed by the salt of its key and the chunks, each with its tag. */
const magic = Buffer.from('palimpsest-sealed-1\n');
const saltBytes = 32;
const chunkBytes = 64 * 1024;
const tagBytes = 16;
const headBytes = magic.length + saltBytes;

export class SealBroken extends Error {
  override readonly name = 'SealBroken';
}

/**
 * Encrypts the objects of a store with AES-256-GCM, each with a key derived from the given one, its name and a salt. Chunks are numbered
 * and the last one is marked, so that changing, omitting or moving any of them is detected.
 */
export function sealedStore(store: ObjectStore, key: Buffer): ObjectStore {
  const keyFor = (name: string, salt: Uint8Array) =>
    Buffer.from(hkdfSync('sha256', key, salt, `palimpsest ${name}`, 32));
  const put = (name: string, source: AsyncIterable<Uint8Array>) => {
    const salt = randomBytes(saltBytes);
    return store.put(name, seal(source, { key: keyFor(name, salt), head: Buffer.concat([magic, salt]) }));
  };
  return {
    ...store,
    put,
    async head(name) {
      const info = await store.head(name);
      return info && plain(info);
    },
    async read(name, part) {
      if (part !== undefined) throw new TypeError('a sealed object is read as a whole');
      const opened = open(await store.read(name), { name, keyFor: (salt) => keyFor(name, salt) });
      return Readable.from(opened, { objectMode: false });
    },
    async take(name, path) {
      await put(name, createReadStream(path));
      await removeFile(path);
    },
    async *list(prefix) {
      for await (const { key: name, ...info } of store.list(prefix)) yield { key: name, ...plain(info) };
    },
    pathOf: () => null,
  };
}

export function isSealed(beginning: Uint8Array): boolean {
  return magic.equals(beginning.subarray(0, magic.length));
}

function plain<I extends ObjectInfo>(info: I): I {
  const sealed = info.bytes - headBytes;
  return { ...info, bytes: Math.max(0, sealed - tagBytes * Math.ceil(sealed / (chunkBytes + tagBytes))) };
}

async function* seal(
  source: AsyncIterable<Uint8Array>,
  { key, head }: { readonly key: Buffer; readonly head: Buffer },
): AsyncGenerator<Buffer> {
  yield head;
  let number = 0;
  for await (const { bytes, isLast } of chunksOf(source, chunkBytes)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number++, isLast));
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }
}

interface Opening {
  readonly name: string;
  readonly keyFor: (salt: Uint8Array) => Buffer;
}

async function* open(source: AsyncIterable<Uint8Array>, { name, keyFor }: Opening): AsyncGenerator<Buffer> {
  let key: Buffer | null = null;
  const body = async function* () {
    let head = Buffer.alloc(0);
    for await (const piece of source) {
      if (key !== null) {
        yield piece;
        continue;
      }
      head = Buffer.concat([head, piece]);
      if (head.length < headBytes) continue;
      if (!isSealed(head)) break;
      key = keyFor(head.subarray(magic.length, headBytes));
      yield head.subarray(headBytes);
    }
    if (key === null) throw new SealBroken(`${name} is not encrypted, or was cut off`);
  };
  let number = 0;
  for await (const { bytes, isLast } of chunksOf(body(), chunkBytes + tagBytes)) {
    const end = Math.max(0, bytes.length - tagBytes);
    try {
      const decipher = createDecipheriv('aes-256-gcm', key ?? Buffer.alloc(32), nonceOf(number++, isLast));
      decipher.setAuthTag(bytes.subarray(end));
      yield Buffer.concat([decipher.update(bytes.subarray(0, end)), decipher.final()]);
    } catch (error) {
      throw new SealBroken(`${name} cannot be decrypted: another key, or damaged`, { cause: error });
    }
  }
}

/** Splits a source into pieces of one size; the last one may be shorter, and always exists. */
async function* chunksOf(source: AsyncIterable<Uint8Array>, size: number) {
  let buffered: Uint8Array[] = [];
  let length = 0;
  for await (const piece of source) {
    buffered.push(piece);
    length += piece.length;
    if (length <= size) continue;
    const all = Buffer.concat(buffered);
    let at = 0;
    for (; all.length - at > size; at += size) yield { bytes: all.subarray(at, at + size), isLast: false };
    buffered = [all.subarray(at)];
    length = all.length - at;
  }
  yield { bytes: Buffer.concat(buffered), isLast: true };
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(number, 5, 6);
  nonce[11] = Number(isLast);
  return nonce;
}
