import { z } from 'zod';
import { wholeNumber } from './values.ts';

const seconds = () => wholeNumber(0, 31_536_000).prefault('0').describe('a number of seconds up to 31536000');

/** Headers that say something else. */
const OTHERS =
  /^(?:access-control-.*|allow|cache-control|connection|content-.*|date|etag|expires|link|location|retry-after|server|set-cookie|transfer-encoding|vary|x-(?:content-type-options|robots-tag|correlation-id|cms-.*))$/i;

/** Settings of what caches between the server and its readers may do with public answers. */
export const cachingSettings = {
  PUBLIC_MAX_AGE: seconds(),
  SHARED_MAX_AGE: seconds(),
  STALE_WHILE_REVALIDATE: seconds(),
  CACHE_TAGS: z
    .string()
    .regex(/^[A-Za-z][\w-]{0,60}$/)
    .refine((name) => !OTHERS.test(name))
    .optional()
    .describe('the name of a header, such as Cache-Tag or Surrogate-Key'),
};

interface CachingRead {
  readonly PUBLIC_MAX_AGE: number;
  readonly SHARED_MAX_AGE: number;
  readonly STALE_WHILE_REVALIDATE: number;
  readonly CACHE_TAGS?: string | undefined;
}

/** What caches may do with public answers of the interface. */
export function cachingIn(read: CachingRead) {
  return {
    maxAge: read.PUBLIC_MAX_AGE,
    sharedMaxAge: read.SHARED_MAX_AGE,
    staleWhileRevalidate: read.STALE_WHILE_REVALIDATE,
    tagHeader: read.CACHE_TAGS ?? null,
  };
}
