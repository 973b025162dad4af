import { anonymous } from '#domain/user/roles.ts';
import type { AnswerCache, NewKept } from '../engine/cache.ts';
import { createLately } from '../engine/cache.ts';
import { entityTag } from '../engine/etag.ts';
import type { Reply } from '../engine/reply.ts';
import { timesAsked } from '../rendering/clock.ts';
import type { PageReply } from './reply.ts';

export interface KeptPages {
  find(url: string, accepted: string | undefined): Reply | null;
  /** Makes a page. It is kept when it was asked for lately, or with `ahead`. */
  make(url: string, make: () => PageReply): Reply;
  /** Makes a page before anybody asks for it; false where it is there. */
  ahead(url: string, make: () => PageReply): boolean;
}

/** Answers of the interface begin with a slash. */
const KEY = 'page ';

/** A page shows much of the site, so it is made again after every change. One that shows the time is never kept. */
export function createKeptPages(cache: AnswerCache, cacheVersion: (key: string) => number): KeptPages {
  const lately = createLately();
  const made = (url: string, make: () => PageReply, isWanted: () => boolean) => {
    const version = cacheVersion('*');
    const before = timesAsked();
    const page = make();
    const reply = pageBytes(page);
    const lasts = page.status === 200 && page.headers['Cache-Control'] !== 'no-store' && timesAsked() === before;
    if (lasts && isWanted()) {
      const kept: NewKept = { reply, route: 'page', versions: [{ key: '*', version }] };
      cache.keep(KEY + url, anonymous, kept);
    }
    return reply;
  };
  return {
    find: (url, accepted) => cache.find(KEY + url, anonymous, accepted)?.reply ?? null,
    make: (url, make) => made(url, make, () => lately.asked(url)),
    ahead: (url, make) => {
      if (cache.prepare(KEY + url)) return false;
      made(url, make, () => true);
      return cache.prepare(KEY + url);
    },
  };
}

/** The bytes of a page, with its entity tag. */
export function pageBytes({ status, headers, body }: PageReply, isTagged = status === 200): Reply {
  const bytes = Buffer.from(body, 'utf8');
  const tag = isTagged ? entityTag(bytes, undefined) : null;
  const head = Object.entries(headers).flat();
  if (bytes.length > 0) head.push('Vary', 'Accept-Encoding');
  if (tag !== null) head.push('ETag', tag);
  head.push('Content-Length', String(bytes.length));
  return { status, head, body: bytes, tag };
}
