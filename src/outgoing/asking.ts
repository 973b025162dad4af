import { LRUCache } from 'lru-cache';

export interface AskingParts<W, A> {
  /** Names everything that the answer depends on. */
  readonly key: (wish: W) => string;
  readonly ask: (wish: W) => Promise<A>;
  /** Failures are not kept: the next one asks again. */
  readonly isGood: (answer: A) => boolean;
  /** Milliseconds for which an answer is kept. */
  readonly ttl: number;
  /** Milliseconds. */
  readonly clock: () => number;
}

const maxKept = 500;

/** Asks other servers once for what several want at the same time, and keeps a limited number of answers in memory: none belongs to the site. */
export function asking<W, A extends object | string | null>(parts: AskingParts<W, A>): (wish: W) => Promise<A> {
  const { key, ask, isGood, ttl, clock } = parts;
  const kept = new LRUCache<string, A & {}>({ max: maxKept, ttl, ttlResolution: 0, perf: { now: clock } });
  const underWay = new Map<string, Promise<A>>();
  return async (wish) => {
    const name = key(wish);
    const known = kept.get(name) ?? underWay.get(name);
    if (known !== undefined) return known;
    const asked = ask(wish).finally(() => underWay.delete(name));
    underWay.set(name, asked);
    const answer = await asked;
    if (answer !== null && isGood(answer)) kept.set(name, answer);
    return answer;
  };
}
