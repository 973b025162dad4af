import { z } from 'palimpsest/plugin';

export const cacheSettings = z.object({
  /** Public address of the server, as `check_ip` reports it. */
  publicIp: z.ipv4().nullable().default(null),
  siteKey: z.string().max(200).default(''),
  /** Networks from which callbacks are accepted; empty: all. */
  callbackRanges: z.array(z.union([z.cidrv4(), z.cidrv6()])).default([]),
  optimiserHosts: z.array(z.string().min(1)).default([]),
});

/** Shared with the cache service, which signs its callbacks with it. Without it, none are accepted. */
export const cacheSecret = 'CACHE_SECRET';
