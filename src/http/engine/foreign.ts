import { headerIn, type Input, type RawRequest } from './input.ts';

type Headers = RawRequest['headers'];

export interface OwnOrigins {
  readonly siteUrl: () => string;
  readonly named: readonly string[];
}

export interface ForeignCheck {
  /** Whether a browser sent the request for a page whose origin is neither the site's nor in `named`. */
  readonly isForeign: (headers: Headers) => boolean;
  readonly isTrusted: (origin: string, headers: Headers) => boolean;
}

export function createForeignCheck({ siteUrl, named }: OwnOrigins): ForeignCheck {
  const isTrusted = (origin: string, headers: Headers) =>
    named.includes(origin) || isOwn(origin, headerIn(headers, 'host') ?? '', new URL(siteUrl()));
  return {
    isTrusted,
    isForeign: (headers) => {
      const origin = headerIn(headers, 'origin');
      if (origin !== undefined && named.includes(origin)) return false;
      const site = headerIn(headers, 'sec-fetch-site');
      if (site === 'cross-site' || site === 'same-site') return true;
      const from = origin ?? originOf(headerIn(headers, 'referer'));
      return site === undefined && from !== undefined && !isTrusted(from, headers);
    },
  };
}

const HARMLESS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/** Whether a request does something that a page of a foreign origin must not cause. `writes`: its endpoint is not a query. */
export function isAct(method: string, { query, method: meant }: Input, writes: boolean): boolean {
  return writes || !HARMLESS.includes(method) || meant !== method || query['_jsonp'] !== undefined;
}

function originOf(referer: string | undefined): string | undefined {
  return referer === undefined ? undefined : URL.parse(referer)?.origin;
}

function isOwn(origin: string, host: string, site: URL): boolean {
  if (origin === site.origin) return true;
  const at = URL.parse(origin);
  return at !== null && at.host === host.toLowerCase().replace(/:(?:80|443)$/, '') && at.host !== site.host;
}
