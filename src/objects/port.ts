import type { Readable } from 'node:stream';

/** Metadata of an object. */
export interface ObjectInfo {
  readonly bytes: number;
  /** Time of the write by the store's clock, in milliseconds since 1970. */
  readonly changed: number;
  readonly version: string;
}

export interface ListedObject extends ObjectInfo {
  readonly key: string;
}

export interface ObjectPart {
  readonly start: number;
  readonly end: number;
}

/**
 * Objects by key, such as `ab/cdef`, in a folder or a bucket. No key may be a folder of another. All methods but `pathOf` reject with
 * `ObjectsUnavailable` while the store is unreachable.
 */
export interface ObjectStore {
  /** For messages; contains no secrets. */
  readonly address: string;
  head(key: string): Promise<ObjectInfo | null>;
  /** Rejects with `ObjectMissing` if there is no such object. */
  read(key: string, part?: ObjectPart): Promise<Readable>;
  /** Stores all bytes of a source durably. If the source throws, rejects with its error and stores nothing. */
  put(key: string, source: AsyncIterable<Uint8Array>): Promise<void>;
  /** Stores a synced local file durably, and removes the local file. */
  take(key: string, path: string): Promise<void>;
  remove(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<ListedObject>;
  now(): Promise<number>;
  /** Local path under which other programs can read an object; null if there is none. */
  pathOf(key: string): string | null;
  close(): void;
}

export class ObjectMissing extends Error {
  override readonly name = 'ObjectMissing';
}

/** Thrown while the store is unreachable or refuses requests; this may be temporary. */
export class ObjectsUnavailable extends Error {
  override readonly name = 'ObjectsUnavailable';
}
