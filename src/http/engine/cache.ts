import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Viewer } from '#domain/user/roles.ts';
import { detach } from '#process/guard.ts';
import { compressedReply, type Reply } from './reply.ts';

/** What an answer depends on and how that stood before the answer was made; null: not to be kept. */
export interface Watch {
  add(keys: readonly string[] | null): void;
  /** Adds everything, as it stood when the watch began. */
  addAll(): void;
  versions(): readonly CacheVersion[] | null;
  /** True while all of that stands as it did when it was added. */
  isCurrent(): boolean;
}

export interface CacheVersion {
  readonly key: string;
  readonly version: number;
}

export interface AnswerCache {
  /** An answer that is still true, and the route it came from. `gzip`: whether the client takes it compressed. */
  find(url: string, viewer: Viewer, gzip: boolean): Kept | null;
  keep(
    url: string,
    viewer: Viewer,
    answer: { readonly reply: Reply; readonly route: string; readonly versions: readonly CacheVersion[] },
  ): void;
}

export interface Kept {
  readonly reply: Reply;
  readonly route: string;
}

interface Entry extends Kept {
  readonly versions: readonly CacheVersion[];
  /** Address of the site when the answer was made: it is part of its headers. */
  readonly site: string;
  hits: number;
  compressed: Reply | null;
}

/** Compressing takes far longer than answering: only what is asked for again and again is worth it. */
const HITS_BEFORE_GZIP = 8;
const SMALLEST_GZIP = 1024;
/** Headers and bookkeeping, roughly. */
const OVERHEAD = 2048;

const compress = promisify(gzip);

/**
 * Whole answers by address and viewer, as many as fit into `maxBytes`. An answer is used while every version that it
 * depends on is what it was before the answer was made.
 */
export function createAnswerCache(
  { cacheVersion, siteUrl }: { readonly cacheVersion: (key: string) => number; readonly siteUrl: () => string },
  maxBytes: number,
): AnswerCache {
  if (maxBytes <= 0) return { find: () => null, keep: () => undefined };
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    // Half as much again for the compressed form that may come to it.
    sizeCalculation: ({ reply }, key) => OVERHEAD + 2 * key.length + Math.ceil(reply.body.length * 1.5),
  });
  const isTrue = (entry: Entry) =>
    entry.site === siteUrl() && entry.versions.every((one) => cacheVersion(one.key) === one.version);
  return {
    find: (url, viewer, acceptsGzip) => {
      const key = keyOf(url, viewer);
      const entry = entries.get(key);
      if (entry === undefined) return null;
      if (!isTrue(entry)) {
        entries.delete(key);
        return null;
      }
      return acceptsGzip ? preferCompressed(entry) : entry;
    },
    keep: (url, viewer, answer) => {
      const { release: _, ...lasting } = answer.reply;
      const reply = { ...lasting, body: unpooled(lasting.body) };
      entries.set(keyOf(url, viewer), { ...answer, reply, site: siteUrl(), hits: 0, compressed: null });
    },
  };
}

/** Remembers, for a while and not for sure, what was asked for: an answer is kept only when it is asked for again. */
export interface Lately {
  /** Whether the address was asked for lately; from now on it was. */
  asked(url: string): boolean;
}

/**
 * Addresses that are remembered at most; then all are forgotten. Not many more than answers fit in: what comes again
 * later than that would be copied in vain.
 */
const MOST_REMEMBERED = 2000;

export function createLately(): Lately {
  const urls = new Set<string>();
  return {
    asked: (url) => {
      if (urls.has(url)) return true;
      if (urls.size >= MOST_REMEMBERED) urls.clear();
      urls.add(url);
      return false;
    },
  };
}

/** Notes the versions of keys as they are when they are added. */
export function createWatch(cacheVersion: (key: string) => number): Watch {
  let versions: CacheVersion[] | null = [];
  const begun = cacheVersion('*');
  return {
    add: (keys) => {
      if (keys === null) versions = null;
      else for (const key of keys) versions?.push({ key, version: cacheVersion(key) });
    },
    addAll: () => versions?.push({ key: '*', version: begun }),
    versions: () => versions,
    isCurrent: () =>
      cacheVersion('*') === begun || (versions?.every(({ key, version }) => cacheVersion(key) === version) ?? false),
  };
}

function preferCompressed(entry: Entry): Kept {
  if (entry.compressed !== null) return { reply: entry.compressed, route: entry.route };
  entry.hits += 1;
  if (entry.hits === HITS_BEFORE_GZIP && entry.reply.body.length > SMALLEST_GZIP) {
    // Off the main thread; until it is there, and if it fails, the plain form is served.
    const work = async () => {
      entry.compressed = compressedReply(entry.reply, await compress(entry.reply.body));
    };
    detach(work, () => undefined);
  }
  return entry;
}

/** Short buffers are cut from larger ones, which would all stay in memory for the sake of a part. */
function unpooled(body: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return own;
}

function keyOf(url: string, { id, role }: Viewer): string {
  return id === 0 ? url : `${id} ${role} ${url}`;
}
