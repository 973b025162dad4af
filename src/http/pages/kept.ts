import { anonymous } from '#domain/user/roles.ts';
import { detach } from '#process/guard.ts';
import { timesAsked } from '#site/rendering/rendering.ts';
import { type ReadLimit, ReadTime, TakesLong, unlessThrown } from '#text/read-time.ts';
import { TextResults, Unwanted } from '#text/suspended.ts';
import { type AnswerCache, createRecentRequests } from '../engine/cache.ts';
import type { Elsewhere } from '../engine/elsewhere.ts';
import { entityTag, tagOf } from '../engine/etag.ts';
import { readBest, replyFrom } from '../engine/moving.ts';
import { bytesInTurns, charactersIn, isLongReply, type Reply } from '../engine/reply.ts';
import type { PageReply } from '../server/page-reply.ts';

export interface KeptPages {
  find(url: string, accepted: string | undefined): Reply | null;
  /** Makes a page. It is cached if it was requested recently, or made by `ahead`. */
  make(url: string, make: () => PageReply, isGone: () => boolean): Reply | Promise<Reply>;
  /** Makes a page ahead of requests, unless that takes long; false if it is already cached. */
  ahead(url: string, make: () => PageReply): boolean;
}

interface KeptPagesOptions {
  readonly cache: AnswerCache;
  readonly cacheVersion: (key: string) => number;
  readonly elsewhere: Elsewhere | undefined;
}

interface MadePage {
  readonly reply: Reply;
  /** Whether it may be cached: it does not show the time. */
  readonly lasts: boolean;
}

/** Milliseconds that a page may take which nobody has requested yet. */
const aheadShare = 10;
/** Keeps keys apart from those of the interface, which begin with a slash. */
const KEY = 'page ';

/** A page shows much of the site, so any change invalidates it. One that shows the time is never cached. */
export function createKeptPages({ cache, cacheVersion, elsewhere }: KeptPagesOptions): KeptPages {
  const recentRequests = createRecentRequests();
  const keep = (url: string, { reply, lasts }: MadePage, version: number) => {
    if (lasts) cache.keep(KEY + url, anonymous, { reply, route: 'page', versions: [{ key: '*', version }] });
  };
  const here = (url: string, make: () => PageReply, isWanted: () => boolean) => {
    const version = cacheVersion('*');
    return (time: ReadLimit | null) =>
      after(madePage(make, time), (made) => {
        if (isWanted()) keep(url, made, version);
        return made.reply;
      });
  };
  return {
    find: (url, accepted) => cache.find(KEY + url, anonymous, accepted)?.reply ?? null,
    make(url, make, isGone) {
      const isWanted = () => recentRequests.asked(url);
      const read = here(url, make, isWanted);
      if (elsewhere === undefined) return read(null);
      const there = async () => {
        const moved = await elsewhere.page(url, isGone);
        if (isGone()) throw new Unwanted('the client has gone');
        if (moved === null) return here(url, make, isWanted)(null);
        const reply = replyFrom(moved.reply);
        const version = cacheVersion('*');
        if (version <= moved.position && isWanted()) keep(url, { reply, lasts: moved.lasts }, version);
        return reply;
      };
      return readBest(elsewhere, { here: read, there });
    },
    ahead(url, make) {
      if (cache.prepare(KEY + url)) return false;
      const read = here(url, make, () => true);
      const time = new ReadTime(aheadShare);
      const reply = unlessThrown(
        TakesLong,
        () => read(time),
        (why) => Promise.reject(why),
      );
      if (!(reply instanceof Promise)) return cache.prepare(KEY + url);
      detach(
        () => reply.then(() => cache.prepare(KEY + url)),
        () => undefined,
      );
      return true;
    },
  };
}

/** Makes a page, within a limit if there is one. */
export function madePage(make: () => PageReply, time: ReadLimit | null = null): MadePage | Promise<MadePage> {
  const before = timesAsked();
  const page = new TextResults({ time }).within(make);
  const lasts = page.status === 200 && page.headers['Cache-Control'] !== 'no-store' && timesAsked() === before;
  return after(pageBytes(page), (reply) => ({ reply, lasts }));
}

function after<T, R>(value: T | Promise<T>, then: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(then) : then(value);
}

/** The bytes of a page with its entity tag; a long one is encoded over several turns of the event loop. */
export function pageBytes(page: PageReply, isTagged = page.status === 200): Reply | Promise<Reply> {
  const { body } = page;
  if (isLongReply(charactersIn(body))) {
    return bytesInTurns(body, 'utf8').then(({ bytes, digest }) => {
      return replyOf(page, bytes, isTagged ? tagOf(digest, undefined) : null);
    });
  }
  const bytes = Buffer.from(body.join(''), 'utf8');
  return replyOf(page, bytes, isTagged ? entityTag(bytes, undefined) : null);
}

function replyOf({ status, headers }: PageReply, bytes: Buffer, tag: string | null): Reply {
  const head = Object.entries(headers).flat();
  if (bytes.length > 0) head.push('Vary', 'Accept-Encoding');
  if (tag !== null) head.push('ETag', tag);
  head.push('Content-Length', String(bytes.length));
  return { status, head, body: bytes, tag };
}
