import type { Viewer } from '#domain/user/roles.ts';

/** Headers in the form that Node sends fastest: name, value, name, value … */
export type FlatHeaders = readonly string[];

/** What caches may do with public answers of the interface; all in seconds. */
export interface PublicCaching {
  /** For which browsers and proxies answer without asking. */
  readonly maxAge: number;
  /** The same for caches that many share; 0: as `maxAge` says. */
  readonly sharedMaxAge: number;
  /** For which they may answer with what is old while they ask. */
  readonly staleWhileRevalidate: number;
  /** Header that tells what an answer depends on; null: none. */
  readonly tagHeader: string | null;
}

export interface HeaderNames {
  /** Without the last hyphen: `X-CMS`. */
  readonly prefix: string;
  readonly position: string;
  readonly truncated: string;
  readonly ignored: string;
  /** In lower case. */
  readonly nonce: string;
  readonly always: FlatHeaders;
  /** `Cache-Control` of answers that are for anybody. */
  readonly caching: FlatHeaders;
  /** Header that tells what an answer depends on; null: none does. */
  readonly tags: string | null;
  readonly exposed: string;
  readonly allowed: string;
}

export function headerNames(prefix: string, caching?: PublicCaching): HeaderNames {
  return {
    prefix,
    caching: caching === undefined ? REVALIDATED : cachingOf(caching),
    tags: caching?.tagHeader ?? null,
    position: `${prefix}-Position`,
    truncated: `${prefix}-Truncated`,
    ignored: `${prefix}-Ignored`,
    nonce: `${prefix}-Nonce`.toLowerCase(),
    always: [
      'X-Robots-Tag',
      'noindex',
      'X-Content-Type-Options',
      'nosniff',
      'Access-Control-Expose-Headers',
      `${prefix}-Total, ${prefix}-TotalPages, Link`,
      'Access-Control-Allow-Headers',
      `Authorization, ${prefix}-Nonce, Content-Disposition, Content-MD5, Content-Type`,
    ],
    exposed: `ETag, ${prefix}-Position, ${prefix}-Age, ${prefix}-Auth, ${prefix}-Truncated, ${prefix}-Ignored, ${prefix}-Repeated, Retry-After, Location, X-Correlation-Id`,
    allowed: `If-Match, If-None-Match, Idempotency-Key, ${prefix}-Position, Last-Event-ID, X-Correlation-Id, traceparent`,
  };
}

const REVALIDATED: FlatHeaders = ['Cache-Control', 'no-cache'];

function cachingOf({ maxAge, sharedMaxAge, staleWhileRevalidate }: PublicCaching): FlatHeaders {
  if (maxAge + sharedMaxAge + staleWhileRevalidate === 0) return REVALIDATED;
  const shared = sharedMaxAge === 0 ? '' : `, s-maxage=${sharedMaxAge}`;
  const stale = staleWhileRevalidate === 0 ? '' : `, stale-while-revalidate=${staleWhileRevalidate}`;
  return ['Cache-Control', `public, max-age=${maxAge}${shared}${stale}`];
}

const FOR_USERS: FlatHeaders = [
  'Cache-Control',
  'no-cache, must-revalidate, max-age=0, no-store, private',
  'Expires',
  'Wed, 11 Jan 1984 05:00:00 GMT',
];

/** Seconds for which browsers may cache the response to a preflight request. */
const PREFLIGHT_AGE = '600';
const NO_HEADERS: Readonly<Record<string, string>> = {};

export interface HeadParts {
  readonly names: HeaderNames;
  readonly type: string;
  readonly viewer: Viewer;
  /** The `Link` header unless the response has its own: the route root. */
  readonly rootLink: string;
  /** The response's own headers, which replace defaults of the same name. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly allow?: string | null;
  /** Set on writes. */
  readonly position?: number | null;
}

/** All headers of a response except those about its body and those for foreign origins (interface behaviour, section 4). */
export function headOf(status: number, parts: HeadParts): string[] {
  const { names, type, viewer, rootLink, headers = NO_HEADERS, allow, position } = parts;
  const head = ['Content-Type', type, ...names.always];
  if (headers['Link'] === undefined) head.push('Link', rootLink);
  if (headers['Cache-Control'] === undefined) head.push(...cachingFor(viewer, names, status));
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined) head.push(name, value);
  }
  if (allow !== undefined && allow !== null) head.push('Allow', allow);
  if (position !== undefined && position !== null) head.push(names.position, String(position));
  return head;
}

interface OriginParts {
  readonly names: HeaderNames;
  /** Whether the page may read responses to requests with credentials. */
  readonly credentials: boolean;
  readonly preflight: boolean;
}

/**
 * Additional headers of a response for a page of another origin (interface behaviour, section 4). WriteOutcome by hand: they extend lists that
 * every response has (ADR 66).
 */
export function originHeaders(origin: string, { names, credentials, preflight }: OriginParts): FlatHeaders {
  const head = [
    'Access-Control-Allow-Origin',
    origin,
    'Access-Control-Allow-Methods',
    'OPTIONS, GET, POST, PUT, PATCH, DELETE',
  ];
  if (credentials) head.push('Access-Control-Allow-Credentials', 'true');
  // Adds to the lists that every response has under the same names. Without an origin no browser would read them.
  if (preflight) head.push('Access-Control-Allow-Headers', names.allowed, 'Access-Control-Max-Age', PREFLIGHT_AGE);
  else head.push('Access-Control-Expose-Headers', names.exposed);
  return head;
}

/** Headers of a 304 for an answer with these: those that caches take from it (RFC 9110, 15.4.5). */
export function unchangedHead(names: HeaderNames, head: FlatHeaders, tag: string): string[] {
  const kept = head.flatMap((value, i) => (i % 2 === 0 && OF_CACHES.has(value) ? [value, head[i + 1] ?? ''] : []));
  return [...names.always, 'ETag', tag, ...kept];
}

const OF_CACHES: ReadonlySet<string> = new Set(['Vary', 'Cache-Control', 'Expires']);

/** What caches may do with an answer: one for a user is for nobody else, any other is asked for again, which costs a few bytes. */
function cachingFor({ id }: Viewer, { caching }: HeaderNames, status: number): FlatHeaders {
  if (id !== 0) return FOR_USERS;
  return status === 200 ? caching : REVALIDATED;
}

/** In bytes; shorter bodies fit into one packet uncompressed. */
const SMALLEST = 1024;
const TEXTS = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|javascript)|image\/svg)/;

/** Whether a compressed form of a body of this type and length is worth having. */
export function isCompressible(type: string | undefined, length: number): boolean {
  return length > SMALLEST && TEXTS.test(type ?? '');
}
