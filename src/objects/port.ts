import type { Readable } from 'node:stream';

/** What is known of an object without reading it. */
export interface ObjectInfo {
  readonly bytes: number;
  /** When it was written, by the clock of the store, in milliseconds since 1970. */
  readonly changed: number;
  readonly version: string;
}

export interface ListedObject extends ObjectInfo {
  readonly key: string;
}

export interface Part {
  readonly start: number;
  readonly end: number;
}

/**
 * Objects by their keys, such as `ab/cdef`: a folder or a bucket. No key is a folder of another one. Everything but `pathOf` rejects with `ObjectsUnavailable`
 * while the store cannot be reached.
 */
export interface ObjectStore {
  /** For messages; holds no secrets. */
  readonly address: string;
  head(key: string): Promise<ObjectInfo | null>;
  /** Rejects with `ObjectMissing` where there is none. */
  read(key: string, part?: Part): Promise<Readable>;
  /** Stores all bytes of a source durably. Where the source throws, rejects with that and stores nothing. */
  put(key: string, source: AsyncIterable<Uint8Array>): Promise<void>;
  /** The same with a local file that is safe on disk; the file is gone afterwards. */
  take(key: string, path: string): Promise<void>;
  remove(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<ListedObject>;
  now(): Promise<number>;
  /** Where other programs can read an object on this machine; null where they cannot. */
  pathOf(key: string): string | null;
  close(): void;
}

export class ObjectMissing extends Error {
  override readonly name = 'ObjectMissing';
}

/** The store cannot be reached or refuses; it may not later. */
export class ObjectsUnavailable extends Error {
  override readonly name = 'ObjectsUnavailable';
}
