import { anonymous } from '#domain/user/roles.ts';
import { timesAsked } from '#site/rendering/rendering.ts';
import { Cost, withCost } from '#text/cost.ts';
import { type AnswerCache, createRecentRequests } from '../engine/cache.ts';
import { type ReaderPool, readyPool, replyFrom } from '../engine/pool.ts';
import { entityTag } from '../message/etag.ts';
import type { Reply } from '../message/reply.ts';
import type { PageReply } from '../server/page-reply.ts';

export interface KeptPages {
  find(url: string, accepted: string | undefined): Reply | null;
  /** Makes a page. It is cached if it was requested recently, or made by `ahead`. */
  make(url: string, page: PageToMake): Reply | Promise<Reply>;
  /** Makes a page ahead of requests; false if it is already cached. */
  ahead(url: string, make: () => PageReply): boolean;
}

interface PageToMake {
  readonly make: () => PageReply;
  /** Whether it takes long: a reader thread makes it then, if one is ready. */
  readonly isLong: () => boolean;
  /** Whether nobody waits for it any more. */
  readonly isGone: () => boolean;
}

interface KeptPagesOptions {
  readonly cache: AnswerCache;
  readonly cacheVersion: (key: string) => number;
  readonly pool: ReaderPool | undefined;
}

interface MadePage {
  readonly reply: Reply;
  /** Whether it may be cached: it does not show the time. */
  readonly lasts: boolean;
}

/** Keeps keys apart from those of the interface, which begin with a slash. */
const KEY = 'page ';

/** A page shows much of the site, so any change invalidates it. One that shows the time is never cached. */
export function createKeptPages({ cache, cacheVersion, pool }: KeptPagesOptions): KeptPages {
  const recentRequests = createRecentRequests();
  const keep = (url: string, { reply, lasts }: MadePage, version: number) => {
    if (lasts) cache.keep(KEY + url, anonymous, { reply, route: 'page', versions: [{ key: '*', version }] });
  };
  const makeHere = (url: string, make: () => PageReply, isWanted: () => boolean): Reply => {
    const version = cacheVersion('*');
    const made = madePage(make);
    if (isWanted()) keep(url, made, version);
    return made.reply;
  };
  return {
    find: (url, accepted) => cache.find(KEY + url, anonymous, accepted)?.reply ?? null,
    make(url, { make, isLong, isGone }) {
      const isWanted = () => recentRequests.asked(url);
      const ready = isLong() ? readyPool(pool) : null;
      if (ready === null) return makeHere(url, make, isWanted);
      return ready.page(url, isGone).then((page) => {
        if (page === null) return isGone() ? nothing : makeHere(url, make, isWanted);
        const reply = replyFrom(page.reply);
        const version = cacheVersion('*');
        if (version <= page.position && isWanted()) keep(url, { reply, lasts: page.lasts }, version);
        return reply;
      });
    },
    ahead(url, make) {
      if (cache.prepare(KEY + url)) return false;
      makeHere(url, make, () => true);
      return cache.prepare(KEY + url);
    },
  };
}

/** Nobody waits for it any more. */
const nothing: Reply = { status: 503, head: ['Content-Length', '0'], body: Buffer.alloc(0), tag: null };

export function madePage(make: () => PageReply): MadePage {
  const before = timesAsked();
  const page = withCost(new Cost(), make);
  const lasts = page.status === 200 && page.headers['Cache-Control'] !== 'no-store' && timesAsked() === before;
  return { reply: pageBytes(page), lasts };
}

/** The bytes of a page with its entity tag. */
export function pageBytes(page: PageReply, isTagged = page.status === 200): Reply {
  const bytes = Buffer.from(page.body.join(''), 'utf8');
  return replyOf(page, bytes, isTagged ? entityTag(bytes, undefined) : null);
}

function replyOf({ status, headers }: PageReply, bytes: Buffer, tag: string | null): Reply {
  const head = Object.entries(headers).flat();
  if (bytes.length > 0) head.push('Vary', 'Accept-Encoding');
  if (tag !== null) head.push('ETag', tag);
  head.push('Content-Length', String(bytes.length));
  return { status, head, body: bytes, tag };
}
