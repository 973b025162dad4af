import { LRUCache } from 'lru-cache';
import type { Viewer } from '#domain/user/roles.ts';
import { detach } from '#process/guard.ts';
import { acceptedEncodings, compressedReply, compressWell } from '../message/encoding.ts';
import type { Encoding } from '../message/etag.ts';
import { isCompressible } from '../message/headers.ts';
import { type Reply, valueIn } from '../message/reply.ts';
import type { EngineHost } from './host.ts';

/** Collects the cache versions an answer depends on, taken before it is made. `versions()` is null if it must not be cached. */
export interface Watch {
  add(keys: readonly string[] | null): void;
  addAll(): void;
  versions(): readonly CacheVersion[] | null;
}

export interface CacheVersion {
  readonly key: string;
  readonly version: number;
}

export interface AnswerCache {
  /** Approximate size of what it holds. */
  readonly bytes: number;
  /** A cached answer that is still valid, and the pattern of its route. `accepted`: the client's `Accept-Encoding`. */
  find(url: string, viewer: Viewer, accepted: string | undefined): Kept | null;
  keep(url: string, viewer: Viewer, answer: NewKept): void;
  /** Starts compressing a cached answer; false if there is none. */
  prepare(url: string): boolean;
  /** A cached answer once it has been compressed as the client likes best; as it is if it cannot be. */
  compressed(url: string, viewer: Viewer, accepted: string | undefined): Promise<Kept | null>;
}

export interface Kept {
  readonly reply: Reply;
  readonly route: string;
  /** Contains secrets, so it is never compressed: next to text chosen by somebody else, the compressed length would reveal them. */
  readonly isSecret?: boolean;
}

export interface NewKept extends Kept {
  readonly versions: readonly CacheVersion[];
}

interface Entry extends NewKept {
  /** Addresses of the site when the answer was made: its headers and its body contain them. */
  readonly addresses: string;
  hits: number;
  readonly forms: Map<Encoding, Reply>;
  readonly begun: Map<Encoding, Promise<void>>;
}

export interface CacheOptions {
  readonly maxBytes: number;
  readonly compress: boolean;
}

/** Cache hits before an answer is compressed: compressing costs as much as several responses. */
const HITS_BEFORE = 2;
/** Nearly every client accepts one of these. */
const PREPARED: readonly Encoding[] = ['br', 'gzip'];
/** Approximate bytes of headers and bookkeeping per entry. */
const OVERHEAD = 2048;

/**
 * Whole answers by address and viewer, as many as fit into `maxBytes`. An answer is valid while all cache versions it depends on
 * are what they were before it was made.
 */
export function createAnswerCache(
  { cacheVersion, addresses }: Pick<EngineHost<never, never>, 'cacheVersion' | 'addresses'>,
  { maxBytes, compress: compresses }: CacheOptions,
): AnswerCache {
  if (maxBytes <= 0)
    return { bytes: 0, find: () => null, keep: () => undefined, prepare: () => false, compressed: async () => null };
  const entries = new LRUCache<string, Entry>({
    maxSize: maxBytes,
    // Twice the body, to leave room for its compressed forms.
    sizeCalculation: ({ reply }, key) => OVERHEAD + 2 * key.length + reply.body.length * 2,
  });
  const isTrue = (entry: Entry) =>
    entry.addresses === addresses() && entry.versions.every((one) => cacheVersion(one.key) === one.version);
  return {
    get bytes() {
      return entries.calculatedSize;
    },
    find: (url, viewer, accepted) => {
      const key = keyOf(url, viewer);
      const entry = entries.get(key);
      if (entry === undefined) return null;
      if (!isTrue(entry)) {
        entries.delete(key);
        return null;
      }
      return compresses ? preferCompressed(entry, acceptedEncodings(accepted).smallest) : entry;
    },
    prepare: (url) => {
      const entry = entries.peek(url);
      if (entry === undefined || !isTrue(entry)) return false;
      if (compresses && isWorthIt(entry))
        for (const form of PREPARED)
          detach(
            () => begin(entry, form),
            () => undefined,
          );
      return true;
    },
    compressed: async (url, viewer, accepted) => {
      const entry = entries.get(keyOf(url, viewer));
      const [preferred] = compresses ? acceptedEncodings(accepted).smallest : [];
      if (entry === undefined || preferred === undefined || !isWorthIt(entry)) return entry ?? null;
      await begin(entry, preferred);
      return { reply: entry.forms.get(preferred) ?? entry.reply, route: entry.route };
    },
    keep: (url, viewer, answer) => {
      const { release, ...lasting } = answer.reply;
      const { body } = lasting;
      if (body.length * 2 > maxBytes) return;
      const isOwn = release === undefined && body.length === body.buffer.byteLength;
      const reply = isOwn ? lasting : { ...lasting, body: copyOf(body) };
      const forms = { hits: 0, forms: new Map(), begun: new Map<Encoding, Promise<void>>() };
      entries.set(keyOf(url, viewer), { ...answer, reply, addresses: addresses(), ...forms });
    },
  };
}

/** Remembers recently requested addresses, approximately: an answer is cached only when it is requested a second time. */
export interface RecentRequests {
  /** True if the address was requested recently. Records the request. */
  asked(url: string): boolean;
}

/**
 * Addresses that are remembered; beyond that all are forgotten. Not many more than the answers that fit into the cache: an answer
 * that is requested less often would be copied in vain.
 */
const MAX_REMEMBERED = 2000;

export function createRecentRequests(): RecentRequests {
  const urls = new Set<string>();
  return {
    asked: (url) => {
      if (urls.has(url)) return true;
      if (urls.size >= MAX_REMEMBERED) urls.clear();
      urls.add(url);
      return false;
    },
  };
}

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
  };
}

function preferCompressed(entry: Entry, accepted: readonly Encoding[]): Kept {
  const [preferred] = accepted;
  if (preferred === undefined || !isWorthIt(entry)) return entry;
  if (!entry.forms.has(preferred)) {
    entry.hits += 1;
    if (entry.hits >= HITS_BEFORE)
      detach(
        () => begin(entry, preferred),
        () => undefined,
      );
  }
  const form = accepted.find((encoding) => entry.forms.has(encoding));
  const reply = form === undefined ? undefined : entry.forms.get(form);
  return reply === undefined ? entry : { reply, route: entry.route };
}

function isWorthIt({ reply, isSecret = false }: Entry): boolean {
  return !isSecret && isCompressible(valueIn(reply.head, 'Content-Type'), reply.body.length);
}

function begin({ reply, forms, begun }: Entry, encoding: Encoding): Promise<void> {
  const known = begun.get(encoding);
  if (known !== undefined) return known;
  const work = compressWell(reply.body, encoding).then(
    (body) => {
      if (body.length < reply.body.length) forms.set(encoding, compressedReply(reply, body, encoding));
    },
    () => undefined,
  );
  begun.set(encoding, work);
  return work;
}

/** A copy outside of Node's buffer pool: a cached slice would keep a whole pool in memory. */
function copyOf(body: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return own;
}

function keyOf(url: string, { id, role, token }: Viewer): string {
  return id === 0 ? url : `${id} ${role}${token === undefined ? '' : ` token ${token.release ?? ''}`} ${url}`;
}
