import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { below } from '#objects/below.ts';
import { openObjects } from '#objects/open.ts';
import type { ObjectStore } from '#objects/port.ts';
import { isSealed, SealBroken, sealedStore } from '#objects/sealed.ts';

const hash = z.string().regex(/^[\da-f]{64}$/);

const segment = z.object({
  key: z.string(),
  from: z.int().min(1),
  to: z.int().min(1),
  hash,
  bytes: z.int().min(1),
});
export type BackupSegment = z.infer<typeof segment>;

const manifest = z.object({
  format: z.literal('palimpsest-backup'),
  /** 1: lines without a number, and pieces of the tail without hashes. */
  version: z.union([z.literal(1), z.literal(2)]),
  at: z.iso.datetime(),
  /** Chain hash of the first commit, which identifies the site. */
  site: hash,
  /** Identifies a history: a log that lacks what the place has starts a new one. */
  line: z.string().regex(/^(\d{6}-)?[\da-f-]{36}$/),
  position: z.int().min(1),
  hash,
  /** Position of the last erasure order that was carried out in all segments; 0: none. */
  erased: z.int().min(0),
  segments: z.array(segment).min(1),
  /** Files with which a restored site goes on signing its log. */
  carried: z.record(z.string(), z.string()).exactOptional(),
});

/**
 * One backup: the log up to a position, in segments shared with other backups.
 *
 * A log only grows, so a backup writes what follows the one before. The manifest is written last: until then there is no backup. Lines of
 * history and positions order backups, not times, which a wrong clock makes.
 *
 * Why, and what was rejected: `docs/adr/0047-incremental-backups.md`, `docs/adr/0063-lines-of-history.md`.
 */
export type Manifest = z.infer<typeof manifest>;
export interface NamedManifest extends Manifest {
  readonly key: string;
}

/** The location contains no readable backup of this program. */
export class NoBackup extends Error {
  override readonly name = 'NoBackup';
}

/** A location for backups: `backups/` has the manifests, `log/` and `tail/` the log, `media/` the files. */
export interface Repository {
  readonly store: ObjectStore;
  readonly media: ObjectStore;
  /** Keys of manifests: line by line, by position within a line; those of version 1 come first, by their times. */
  keys(): Promise<readonly string[]>;
  /** Whether nobody can read it without the key. */
  readonly isEncrypted: boolean;
  read(key: string): Promise<NamedManifest>;
  newest(): Promise<NamedManifest | null>;
  write(manifest: Manifest): Promise<NamedManifest>;
  writeLines(key: string, lines: AsyncIterable<Uint8Array>): Promise<void>;
  readLines(key: string): AsyncIterable<Buffer>;
  close(): void;
}

/** Location of backups and their encryption key; null: not encrypted. */
export interface BackupPlace {
  readonly address: string;
  readonly key: Buffer | null;
}

export async function openRepository({ address, key }: BackupPlace): Promise<Repository> {
  const raw = await openObjects(address);
  const store = key === null ? raw : sealedStore(raw, key);
  const manifests = new Manifests(store, raw);
  return {
    store,
    isEncrypted: key !== null,
    media: below(store, 'media/'),
    keys: () => manifests.keys(),
    read: (name) => manifests.read(name),
    newest: () => manifests.newest(),
    write: (given) => manifests.write(given),
    writeLines: (name, lines) =>
      pipeline(lines, createZstdCompress(), (packed: AsyncIterable<Buffer>) => store.put(name, packed)),
    readLines: (name) => unpacked(store, name),
    close: () => store.close(),
  };
}

class Manifests {
  readonly #store: ObjectStore;
  readonly #raw: ObjectStore;

  /** `raw`: what `store` encrypts, or `store` itself. */
  constructor(store: ObjectStore, raw: ObjectStore) {
    this.#store = store;
    this.#raw = raw;
  }

  async keys(): Promise<readonly string[]> {
    const all = await Array.fromAsync(this.#raw.list('backups/'), (object) => object.key);
    return all
      .filter((name) => name.endsWith('.json'))
      .sort((a, b) => Number(numbered.test(a)) - Number(numbered.test(b)) || (a < b ? -1 : 1));
  }

  async read(name: string): Promise<NamedManifest> {
    const found = manifest.safeParse(parse(await this.#bytesOf(name)));
    if (!found.success)
      throw new NoBackup(`${name} in ${this.#raw.address} is no backup of a version that is known here`);
    return { ...found.data, key: name };
  }

  async newest(): Promise<NamedManifest | null> {
    const names = await this.keys();
    const last = names.at(-1);
    if (last === undefined) return null;
    if (numbered.test(last)) return this.read(last);
    const all = await Promise.all(names.map((name) => this.read(name)));
    const { line } = await this.read(last);
    return (
      all
        .filter((one) => one.line === line)
        .sort((a, b) => a.position - b.position)
        .at(-1) ?? null
    );
  }

  async write(given: Manifest): Promise<NamedManifest> {
    const number = String(lineNumberOf(given.line)).padStart(6, '0');
    const name = `backups/${number}-${padded(given.position)}-${given.at.replace(/[:.]/g, '-')}.json`;
    await this.#store.put(name, once(Buffer.from(`${JSON.stringify(given)}\n`)));
    return { ...given, key: name };
  }

  async #bytesOf(name: string): Promise<Buffer> {
    const bytes = Buffer.concat(await Array.fromAsync(await this.#store.read(name)));
    if (this.#store === this.#raw && isSealed(bytes)) {
      throw new SealBroken(`${name} is encrypted; its key belongs into BACKUP_KEY`);
    }
    return bytes;
  }
}

const numbered = /^backups\/\d{6}-\d{12}-/;

/** Newer lines of history have higher numbers; 0: made by a version that did not number them. */
export function lineNumberOf(line: string): number {
  return Number(/^(\d{6})-/.exec(line)?.[1] ?? 0);
}

export function lineAfter(number: number): string {
  return `${String(number + 1).padStart(6, '0')}-${randomUUID()}`;
}

/** A position as it appears in keys, padded so that keys sort by position. */
export function padded(position: number): string {
  return String(position).padStart(12, '0');
}

async function* unpacked(store: ObjectStore, name: string): AsyncGenerator<Buffer> {
  const stream = createZstdDecompress();
  const done = pipeline(await store.read(name), stream);
  done.catch(() => undefined);
  try {
    yield* stream as AsyncIterable<Buffer>;
    await done;
  } catch (error) {
    throw isOfZlib(error) ? new NoBackup(`${name} is damaged or cut off`, { cause: error }) : error;
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

function isOfZlib(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^Z(STD)?_/.test(String(error.code));
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}
