import type { Make } from '../types.ts';

/** What is shown where there is no feed. */
export const noFeed =
  '<div class="components-placeholder"><div class="notice notice-error">An error has occurred, which probably means the feed is down. Try again later.</div></div>';

/** The latest of a feed of another site. */
export const rss: Make = () => noFeed;
