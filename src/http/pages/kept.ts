import { anonymous } from '#domain/user/roles.ts';
import { detach } from '#process/guard.ts';
import { timesAsked } from '#site/rendering/rendering.ts';
import { type RunText, readWithTexts } from '#text/suspended.ts';
import { type AnswerCache, createRecentRequests, type NewKept } from '../engine/cache.ts';
import { entityTag, tagOf } from '../engine/etag.ts';
import { bytesInTurns, charactersIn, isLongReply, type Reply } from '../engine/reply.ts';
import type { PageReply } from '../server/page-reply.ts';

export interface KeptPages {
  find(url: string, accepted: string | undefined): Reply | null;
  /** Makes a page. It is cached if it was requested recently, or made by `ahead`. */
  make(url: string, make: () => PageReply, isGone: () => boolean): Reply | Promise<Reply>;
  /** Makes a page ahead of requests, unless it has a long text; false if it is already cached. */
  ahead(url: string, make: () => PageReply): boolean;
}

interface KeptPagesOptions {
  readonly cache: AnswerCache;
  readonly cacheVersion: (key: string) => number;
  /** Works on long texts in other threads. */
  readonly runText: RunText | undefined;
}

interface Making {
  readonly isWanted: () => boolean;
  readonly isGone?: () => boolean;
  readonly worker?: RunText | undefined;
}

/** Keeps keys apart from those of the interface, which begin with a slash. */
const KEY = 'page ';

/** A page shows much of the site, so any change invalidates it. One that shows the time is never cached. */
export function createKeptPages({ cache, cacheVersion, runText }: KeptPagesOptions): KeptPages {
  const recentRequests = createRecentRequests();
  const made = (url: string, make: () => PageReply, { isWanted, isGone, worker = runText }: Making) => {
    const version = cacheVersion('*');
    const attempt = () => {
      const before = timesAsked();
      const page = make();
      const lasts = page.status === 200 && page.headers['Cache-Control'] !== 'no-store' && timesAsked() === before;
      return { page, lasts };
    };
    const keep = (reply: Reply, lasts: boolean) => {
      if (lasts && isWanted()) {
        const kept: NewKept = { reply, route: 'page', versions: [{ key: '*', version }] };
        cache.keep(KEY + url, anonymous, kept);
      }
      return reply;
    };
    return after(readWithTexts(worker, attempt, { isGone }), ({ page, lasts }) =>
      after(pageBytes(page), (reply) => keep(reply, lasts)),
    );
  };
  return {
    find: (url, accepted) => cache.find(KEY + url, anonymous, accepted)?.reply ?? null,
    make: (url, make, isGone) => made(url, make, { isWanted: () => recentRequests.asked(url), isGone }),
    ahead: (url, make) => {
      if (cache.prepare(KEY + url)) return false;
      const reply = made(url, make, { isWanted: () => true, worker: runText && nowhere });
      if (!(reply instanceof Promise)) return cache.prepare(KEY + url);
      detach(
        () => reply.then(() => cache.prepare(KEY + url)),
        () => undefined,
      );
      return true;
    },
  };
}

const nowhere: RunText = () => Promise.reject(new Error('nobody waits for it'));

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
