import { defineArea, defineEvent, type EventOf, z } from 'palimpsest/plugin';

const CrawlerToggled = defineEvent({
  type: 'CrawlerToggled',
  summary: 'A crawler of the cache was paused or resumed.',
  schema: z.object({ crawler: z.int().min(0), active: z.boolean() }),
});

type Toggled = EventOf<typeof CrawlerToggled>;

/** Paused crawlers; all others are active. */
export interface Crawlers {
  readonly paused: readonly number[];
}

const empty: Crawlers = { paused: [] };

export const cacheCrawler = defineArea({
  name: 'cache-crawler',
  events: [CrawlerToggled],
  empty,
  evolve({ paused }, { data: { crawler, active } }) {
    const others = paused.filter((one) => one !== crawler);
    return { paused: active ? others : [...others, crawler] };
  },
});

export function toggleCrawler({ paused }: Crawlers, crawler: number): readonly [Toggled] {
  return [{ type: 'CrawlerToggled', data: { crawler, active: paused.includes(crawler) } }];
}
