import { LRUCache } from 'lru-cache';
import type { Outgoing } from '#outgoing/fetch.ts';
import { readDetails, type UrlDetails } from './read.ts';

export type Asked = UrlDetails | 'not public' | 'no response' | 'no content';

const HOUR = 60 * 60 * 1000;
const MAX_KEPT = 500;
/** Pages describe themselves at their beginning. */
export const maxBytes = 150 * 1024;
const PAGE = { accept: 'text/html, */*;q=0.5', maxBytes: maxBytes, cut: true } as const;

/** Describes pages of other servers. A limited number of descriptions is cached in memory for an hour. */
export function createDetails(outgoing: Outgoing, clock: () => number): (url: URL) => Promise<Asked> {
  const kept = new LRUCache<string, UrlDetails>({ max: MAX_KEPT, ttl: HOUR, ttlResolution: 0, perf: { now: clock } });
  const underWay = new Map<string, Promise<Asked>>();
  return async (url) => {
    const key = url.href;
    const known = kept.get(key) ?? underWay.get(key);
    if (known !== undefined) return known;
    const asked = ask(url, outgoing).finally(() => underWay.delete(key));
    underWay.set(key, asked);
    const found = await asked;
    if (typeof found !== 'string') kept.set(key, found);
    return found;
  };
}

/** The details in a body, unless it is empty. */
export function detailsIn(body: Buffer, page: URL): UrlDetails | 'no content' {
  return body.length === 0 ? 'no content' : readDetails(body.toString('utf8'), page);
}

async function ask(url: URL, outgoing: Outgoing): Promise<Asked> {
  const answer = await outgoing.get(url.href, PAGE);
  if (answer.ok) return answer.status === 200 ? detailsIn(answer.body, answer.url) : 'no response';
  return answer.why === 'not public' || answer.why === 'unknown host' ? 'not public' : 'no response';
}
