import { LRUCache } from 'lru-cache';
import type { Outgoing } from '#outgoing/fetch.ts';
import type { RunText } from '#text/suspended.ts';

const HOUR = 60 * 60 * 1000;
/** Milliseconds for which a feed is cached, and for which a missing one is not requested again. */
const KEPT = 12 * HOUR;
const MISSED = HOUR / 12;
const MAX_KEPT = 100;
const WANTED = {
  accept: 'application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.8',
  maxBytes: 1024 * 1024,
};

/** The items of a feed as JSON; null if they are not available. */
export type Feeds = (address: string) => Promise<string | null>;

/**
 * Feeds of other sites, cached in memory for half a day: they are not part of the site and can be requested again. A feed that is
 * missing is not requested again for some minutes.
 */
export function createFeeds(outgoing: Outgoing, runText: RunText, clock: () => number): Feeds {
  const perf = { now: clock };
  const kept = new LRUCache<string, { readonly items: string | null }>({
    max: MAX_KEPT,
    ttl: KEPT,
    ttlResolution: 0,
    perf,
  });
  const underWay = new Map<string, Promise<string | null>>();
  const ask = async (address: string): Promise<string | null> => {
    const answer = await outgoing.get(address, WANTED);
    if (!answer.ok && answer.why === 'busy') return null;
    const isFeed = answer.ok && answer.status === 200;
    const texts = isFeed ? [answer.body.toString('utf8')] : [];
    // What cannot be read is no feed.
    const items = isFeed ? await runText({ job: 'feedItems', texts }).catch(() => null) : null;
    kept.set(address, { items }, { ttl: items === null ? MISSED : KEPT });
    return items;
  };
  return (address) => {
    const known = kept.get(address);
    if (known !== undefined) return Promise.resolve(known.items);
    const asked = underWay.get(address) ?? ask(address).finally(() => underWay.delete(address));
    underWay.set(address, asked);
    return asked;
  };
}
