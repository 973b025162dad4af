import type { Outgoing } from '#outgoing/fetch.ts';
import { feedItems } from '#text/feed-items.ts';

const WANTED = {
  accept: 'application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.8',
  maxBytes: 1024 * 1024,
};
/** Milliseconds between looks for feeds that are due. */
const PAUSE = 10_000;

export interface FeedJobOptions {
  readonly feeds: {
    onWanted: () => void;
    due(): readonly string[];
    keep(address: string, items: string | null): void;
  };
  readonly outgoing: Outgoing;
}

/** Fetches the feeds of other sites that texts show, one after the other. Returns a function that ends that. */
export function followFeeds({ feeds, outgoing }: FeedJobOptions): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isOver = false;
  const fetchAll = async () => {
    for (let due = feeds.due(); due.length > 0; due = feeds.due()) {
      for (const address of due) {
        if (isOver) return;
        const answer = await outgoing.get(address, WANTED);
        if (!answer.ok && answer.why === 'busy') return;
        const isFeed = answer.ok && answer.status === 200;
        feeds.keep(address, isFeed ? itemsIn(answer.body.toString('utf8')) : null);
      }
    }
  };
  const run = () => {
    running ??= fetchAll().finally(() => {
      running = undefined;
    });
  };
  feeds.onWanted = run;
  const timer = setInterval(run, PAUSE).unref();
  return async () => {
    isOver = true;
    clearInterval(timer);
    await running;
  };
}

/** What cannot be read is no feed. */
function itemsIn(xml: string): string | null {
  try {
    return feedItems(xml);
  } catch {
    return null;
  }
}
